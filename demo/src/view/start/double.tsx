// Your double: another first name with the same fingerprint and the same two homes, and what comes of that.
// Invariant: the core found it; the picture shows what the core said. Whoever asked for less motion sees its last frame.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { copied } from '../../app/address';
import { loadNames, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { Button } from '../../controls/button';
import { doubleOf, type Batches, type Double } from '../../core/double';
import { languageNow, words } from '../../i18n';
import { isolated } from '../../i18n/isolated';
import { formatLink, HOME } from '../../model/link';
import { nameIn } from '../../model/name';
import { binary, hex } from '../../model/picture/chip';
import { DEFAULTS } from '../../model/settings';
import { InTurn } from '../lazy';
import { Chip, hueStyle } from '../stage/chip';
import { SHOWN } from './film';

const { bucketCount, bucketSize, fingerprintBits } = DEFAULTS;

export default function YourDouble({ page }: { page: Page }) {
  const name = nameOf(page);
  const names = useSignal<{ readonly batch: Batches } | null>(null);
  const language = languageNow();
  useEffect(() => {
    void loadNames().then((batch) => (names.value = { batch }));
  }, [language]);
  if (names.value === null) return null;
  const isTyped = nameIn(typedName(page).value) !== '';
  return <Found page={page} name={name} isTyped={isTyped} batch={names.value.batch} />;
}

interface FoundProps {
  readonly page: Page;
  readonly name: string;
  readonly isTyped: boolean;
  readonly batch: Batches;
}

/** What the filter takes for the name, to be sent to a friend. */
function Found({ page, name, isTyped, batch }: FoundProps) {
  const t = words.value.double;
  const double = useMemo(() => doubleOf(name, batch), [name, batch]);
  useEffect(() => void (page.pair.value = { one: name, other: double.name }), [page, name, double]);
  const [one, other] = [isolated(name, SHOWN), isolated(double.name, SHOWN)];
  const homes = double.location.homesCoincide ? 1 : 2;
  return (
    <InTurn>
      <figure key={name} style={hueStyle(double.location.fingerprint)}>
        <p class="double-said" role="status">
          {t.same(one, other)}
        </p>
        <Picture names={[one, other]} double={double} />
        <p class="double-said is-second">{t.gone(one, other)}</p>
      </figure>
      <Why names={[name, double.name]} double={double} />
      <Send key={name} name={name} said={t.same(one, other)} isTyped={isTyped} />
      <p class="note">{t.size(bucketCount, fingerprintBits, homes, double.tried, double.found)}</p>
    </InTurn>
  );
}

/** Both names fall into one fingerprint, which has one slot; in the last frame it is empty. */
function Picture({ names, double }: { names: readonly string[]; double: Double }) {
  const t = words.value;
  const { location, place } = double;
  const text = hex(location.fingerprint, fingerprintBits);
  const columns = Array.from({ length: bucketCount }, (_, bucket) => bucket);
  const homes = [...new Set([location.primary, location.alternate])];
  const middle = (bucket: number): number => ((bucket + 0.5) / bucketCount) * 100;
  return (
    <div
      class="double-picture"
      role="img"
      aria-label={t.double.picture(text, location.primary, location.alternate)}
    >
      {names.map((each, i) => (
        <div key={i} class={i === 0 ? 'double-one' : 'double-other'}>
          <b>{each}</b>
          <svg width="96" height="44" viewBox="0 0 96 44">
            <Chip fingerprint={location.fingerprint} text={text} width={96} height={44} />
          </svg>
        </div>
      ))}
      <svg class="double-ways" viewBox="0 0 100 20" preserveAspectRatio="none">
        {[25, 75].flatMap((from) =>
          homes.map((home) => <path key={`${from} ${home}`} d={`M${from} 0L${middle(home)} 20`} />),
        )}
      </svg>
      <ol class="double-table">
        {columns.map((bucket) => (
          <li
            key={bucket}
            class={
              bucket === location.primary ? 'is-primary' : bucket === location.alternate ? 'is-alternate' : ''
            }
          >
            {Array.from({ length: bucketSize }, (_, slot) => (
              <i key={slot} class={bucket === place.bucket && slot === place.slot ? 'is-taken' : ''}>
                {bucket === place.bucket && slot === place.slot && text}
              </i>
            ))}
            <span>{bucket}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Why the filter cannot tell the two apart, and where to see what comes of it. */
function Why({ names, double }: { names: readonly [string, string]; double: Double }) {
  const t = words.value.double;
  const [one, other] = names;
  return (
    <details class="why">
      <summary>{t.why}</summary>
      <p>{t.because(fingerprintBits, isolated(one, SHOWN), isolated(other, SHOWN))}</p>
      {names.map((name, i) => (
        <HashBits key={i} name={isolated(name, SHOWN)} hash={double.hashes[i] ?? 0n} />
      ))}
      <p class="note">{t.bits(fingerprintBits)}</p>
      <a class="button" href={`#${formatLink({ ...HOME, place: 'delete', kept: { one, other } })}`}>
        {t.seeDelete(isolated(other, SHOWN))}
      </a>
    </details>
  );
}

const HASH_BITS = 64;

/** All bits of a name's hash: the first ones choose a bucket, the last ones are what is kept. */
function HashBits({ name, hash }: { name: string; hash: bigint }) {
  const text = hash.toString(2).padStart(HASH_BITS, '0');
  const home = binary(0, bucketCount).length;
  const look = (at: number): string =>
    at < home ? ' is-home' : at >= HASH_BITS - fingerprintBits ? ' is-kept' : '';
  return (
    <div class="hash-bits">
      <b>{name}</b>
      <div role="img" aria-label={words.value.double.hash(text)}>
        {[...text].map((bit, at) => (
          <i key={at} class={`is-${bit}${look(at)}`} />
        ))}
      </div>
    </div>
  );
}

interface SendProps {
  readonly name: string;
  readonly said: string;
  readonly isTyped: boolean;
}

/** The device's own way to send a link, or a copy. Before a name is typed, typing is what there is to do. */
function Send({ name, said, isTyped }: SendProps) {
  const t = words.value.double;
  const note = useSignal('');
  const send = async (): Promise<void> => {
    const hash = formatLink({ ...HOME, language: languageNow(), kept: { from: name } });
    const url = `${location.href.replace(/[?#].*$/, '')}#${hash}`;
    const text = `${said} ${t.title}`;
    // Not every browser has it.
    const share = (navigator as Partial<Navigator>).share?.bind(navigator);
    if (share !== undefined) await share({ title: t.title, text, url }).catch(() => undefined);
    else note.value = await copied(url, t);
  };
  return (
    <div class="double-send">
      <Button look={isTyped ? 'primary' : 'quiet'} text={t.send} onClick={() => void send()} />
      <span class="note" role="status">
        {note.value}
      </span>
    </div>
  );
}

// Your double: another first name with the same fingerprint and the same two homes, and what comes of that.
// Invariant: the core found it, once the picture is in sight or was scrolled past; it shows what the core said. Whoever asked for
// less motion sees its last frame.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { copied } from '../../app/address';
import { loadNames, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { useSight } from '../../browser/sight';
import { Button } from '../../controls/fields';
import { doubleOf, type Batches, type Double } from '../../core/double';
import { languageNow, words } from '../../i18n';
import { isolated, nameIn } from '../../model/text';
import { formatLink, HOME } from '../../model/link';
import { binary, hex } from '../../model/picture/bits';
import { boxOf, CHIP, HEIGHT, LEFT, WIDTH } from '../../model/picture/trays';
import { DEFAULTS } from '../../model/settings';
import { InTurn } from '../lazy';
import { Chip, hueStyle } from '../stage/chip';
import { SHOWN } from './film';
import { Tray } from './trays';

const { bucketCount, fingerprintBits } = DEFAULTS;

export default function YourDouble({ page }: { page: Page }) {
  const name = nameOf(page);
  const names = useSignal<{ readonly batch: Batches } | null>(null);
  const language = languageNow();
  useEffect(() => {
    void loadNames().then((batch) => (names.value = { batch }));
  }, [language]);
  const host = useRef<HTMLDivElement>(null);
  const isSeen = useSignal(false);
  useSight(host, (isIn) => (isSeen.value ||= isIn), true);
  return (
    <div class="double-found grid" ref={host}>
      {isSeen.value && names.value !== null && (
        <Found key={`${name} ${language}`} page={page} name={name} batch={names.value.batch} />
      )}
    </div>
  );
}

/** How many values of the last bits are kept as this fingerprint: 0 counts as 1. */
function valuesOf({ location }: Double): number {
  return location.fingerprint === 1 ? 2 : 1;
}

/** What the filter takes for the name, to be sent to a friend. */
function Found({ page, name, batch }: { page: Page; name: string; batch: Batches }) {
  const t = words.value.double;
  const double = useMemo(() => doubleOf(name, batch), [name, batch]);
  // With the sentence that names both: whoever goes on at once takes them along.
  useLayoutEffect(() => void (page.pair.value = { one: name, other: double.name }), [page, name, double]);
  const [one, other] = [isolated(name, SHOWN), isolated(double.name, SHOWN)];
  return (
    <InTurn>
      <figure style={hueStyle(double.location.fingerprint)}>
        <p class="double-said" role="status">
          {t.same(one, other)}
        </p>
        <Picture names={[name, double.name]} double={double} />
        <p class="double-said is-second">{t.gone(isolated(name, ENDING), isolated(double.name, ENDING))}</p>
      </figure>
      <Why names={[name, double.name]} double={double} />
      <Send page={page} name={name} said={t.same(one, other)} />
    </InTurn>
  );
}

/** Letters of a name for which there is room above its fingerprint, and in the last sentence of a slide. */
const [IN_LINE, ENDING] = [11, 16] as const;

/** Both names have one fingerprint, with two homes, and share its slot; in the last frame the slot is empty. */
function Picture({ names, double }: { names: readonly string[]; double: Double }) {
  const t = words.value;
  const { location, place } = double;
  const text = hex(location.fingerprint, fingerprintBits);
  const { primary, alternate } = location;
  const homes = [primary, alternate].sort((a, b) => a - b);
  const { x, y } = boxOf({ ...place, bucket: SPACE * homes.indexOf(place.bucket) });
  return (
    <div class="double-picture grid" role="img" aria-label={t.double.picture(text, primary, alternate)}>
      {names.map((each, i) => (
        <div key={i} class={i === 0 ? 'double-one grid' : 'double-other grid'}>
          {/* No line breaks at the ellipsis. */}
          <b>{isolated(each, IN_LINE).replace('…', '\u2060…\u2060')}</b>
          <svg width="96" height="44" viewBox="0 0 96 44">
            <Chip {...location} text={text} width={96} height={44} />
          </svg>
        </div>
      ))}
      <svg class="double-table" viewBox={`0 ${-JOIN} ${WIDTH} ${HEIGHT / 4 + 6 + JOIN}`}>
        {homes.map((bucket, i) => (
          <Tray
            key={i}
            bucket={bucket}
            row={SPACE * i}
            home={bucket === primary ? 'is-primary' : 'is-alternate'}
          />
        ))}
        <path class="double-ways" d={`${JOINED}${[0, SPACE].map(wayTo).join('')}`} />
        <g class="double-taken" transform={`translate(${x} ${y})`}>
          <Chip {...location} {...CHIP} text={text} />
          <path class="double-strike" d={`M8 ${CHIP.height / 2}h${CHIP.width - 16}`} />
        </g>
      </svg>
    </div>
  );
}

/** Rows from one home to the other, whose outlines would touch. */
const SPACE = 1.2;

/** Units above the two homes, where the lines of both names join. */
const JOIN = 16;
const JOINED = `M${WIDTH / 4} ${-JOIN}V${-JOIN / 2}H${0.75 * WIDTH}V${-JOIN}`;

function wayTo(row: number): string {
  const { x, y } = boxOf({ bucket: row, slot: 0 });
  return `M${WIDTH / 4} ${-JOIN / 2}H${LEFT}V${y + CHIP.height / 2}H${x - 3}`;
}

/** Why the filter cannot tell the two apart, and where to see what comes of it. */
function Why({ names, double }: { names: readonly [string, string]; double: Double }) {
  const t = words.value.double;
  const [one, other] = names;
  const isSwapped = new Set(double.hashes.map((hash) => hash >> BigInt(HASH_BITS - HOME_BITS))).size > 1;
  return (
    <details class="why">
      <summary>{t.why}</summary>
      <p>{t.because(fingerprintBits, isolated(one, SHOWN), isolated(other, SHOWN))}</p>
      {names.map((name, i) => (
        <HashBits key={i} name={isolated(name, SHOWN)} hash={double.hashes[i] ?? 0n} />
      ))}
      <p class="note">
        {t.bits(fingerprintBits, isSwapped)}
        {double.hashes.some((hash) => BigInt.asUintN(fingerprintBits, hash) === 0n) && t.zero}
      </p>
      <p class="note">{t.size(bucketCount, fingerprintBits, double.tried, double.found, valuesOf(double))}</p>
      <a class="button" href={`#${formatLink({ ...HOME, place: 'delete', kept: { one, other } })}`}>
        {t.seeDelete(isolated(other, SHOWN))}
      </a>
    </details>
  );
}

const HASH_BITS = 64;
const HOME_BITS = binary(0, bucketCount).length;

/** All bits of a name's hash: the first ones choose a bucket, the last ones are what is kept. */
function HashBits({ name, hash }: { name: string; hash: bigint }) {
  const text = hash.toString(2).padStart(HASH_BITS, '0');
  const look = (at: number): string =>
    at < HOME_BITS ? ' is-home' : at >= HASH_BITS - fingerprintBits ? ' is-kept' : '';
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

/** The device's own way to send a link, or a copy. Before a name is typed, typing is what there is to do. */
function Send({ page, name, said }: { page: Page; name: string; said: string }) {
  const t = words.value.double;
  const note = useSignal('');
  const isTyped = nameIn(typedName(page).value) !== '';
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

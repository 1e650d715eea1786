// The opening: a name and its double, then how the name dissolves into a fingerprint that has two homes.
// Invariant: hash, fingerprint and homes come from a lookup that the core reports; the page computes none.
import { useMemo } from 'preact/hooks';
import { nameOf } from '../../app/name';
import { createEngine } from '../../core/engine';
import { words } from '../../i18n';
import { isolated } from '../../i18n/isolated';
import { binary, hex } from '../../model/picture/chip';
import { first } from '../../model/scenes/read';
import { DEFAULTS } from '../../model/settings';
import { homeSum, labelOf } from '../../model/trace/sum';
import type { EventOf } from '../../model/trace/state';
import type { Page } from '../../app/page';
import { Chip, hueStyle } from '../stage/chip';
import { InTurn } from '../lazy';
import { YourDouble } from './double';
import '../../styles/opening.css';

const HASH_BITS = 64;

export function Opening({ page }: { page: Page }) {
  const t = words.value;
  const name = nameOf(page);
  // The first table's, whatever table stands below.
  const engine = useMemo(() => createEngine(DEFAULTS), []);
  const events = engine.run('contains', name);
  const location = first(events, 'locate');
  return (
    <section class="opening">
      <div class="intro">
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </div>
      <InTurn>
        <YourDouble page={page} />
        <figure>
          <p class="dissolve-name">{isolated(name)}</p>
          <Bits hash={first(events, 'begin').hash} location={location} key={`${name}!`} />
          <figcaption>{t.opening.print(DEFAULTS.fingerprintBits)}</figcaption>
        </figure>
        <TwoHomes location={location} />
      </InTurn>
    </section>
  );
}

interface BitsProps {
  readonly hash: bigint;
  readonly location: EventOf<'locate'>;
}

/** All bits of the hash: the first ones choose a bucket, the last ones are what is kept. */
function Bits({ hash, location }: BitsProps) {
  const t = words.value;
  const { bucketCount, fingerprintBits } = DEFAULTS;
  const text = hash.toString(2).padStart(HASH_BITS, '0');
  const home = binary(0, bucketCount).length;
  const look = (at: number): string =>
    at < home ? ' is-home' : at >= HASH_BITS - fingerprintBits ? ' is-kept' : ' is-dropped';
  const print = hex(location.fingerprint, fingerprintBits);
  return (
    <div class="dissolve-bits" style={hueStyle(location.fingerprint)}>
      <div class="dissolve-row" role="img" aria-label={t.opening.hash(text)}>
        {[...text].map((bit, at) => (
          <span key={at} class={`is-${bit}${look(at)}`} />
        ))}
      </div>
      <p class="dissolve-home">{t.opening.homeBits(location.primary)}</p>
      <p class="dissolve-print">
        <svg width="132" height="56" viewBox="0 0 132 56" role="img" aria-label={print}>
          <Chip fingerprint={location.fingerprint} text={print} width={132} height={56} />
        </svg>
        {t.opening.kept(fingerprintBits)}
      </p>
    </div>
  );
}

/** The buckets in a row, with the sum that leads from one home to the other. */
function TwoHomes({ location }: Omit<BitsProps, 'hash'>) {
  const t = words.value;
  const { bucketCount } = DEFAULTS;
  const { primary, alternate, fingerprint } = location;
  return (
    <figure class="two-homes" style={hueStyle(fingerprint)}>
      <figcaption>{t.opening.homes}</figcaption>
      <div class="two-homes-sum">
        {homeSum(DEFAULTS, location).map(({ text, label, look }, i) => (
          <span key={i} class={`is-${look}`}>
            <b>{text}</b>
            {label !== null && <small>{labelOf(label, t.sum)}</small>}
          </span>
        ))}
      </div>
      <ol class="two-homes-row">
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <li
            key={bucket}
            class={bucket === primary ? 'is-primary' : bucket === alternate ? 'is-alternate' : ''}
          >
            {binary(bucket, bucketCount)}
            <small>
              {bucket === primary
                ? t.stage.shortHome[primary === alternate ? 'both' : 'primary']
                : bucket === alternate
                  ? t.stage.shortHome.alternate
                  : ''}
            </small>
          </li>
        ))}
      </ol>
    </figure>
  );
}

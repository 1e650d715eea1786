// Scene 2: the two homes of a fingerprint, bit by bit and on the ring of buckets.
// Invariant: home 2 and the fingerprint's offset come from the core; the page draws them.
import { CATALOGUE_BITS, located, type Located, type Way } from '../catalogue';
import { words } from '../i18n';
import { within } from '../kept';
import { bitsFor, bitsOf, flipped } from '../model/bits';
import { hex } from '../model/chip';
import { first, eventsOf } from '../model/scenes/read';
import type { Page } from '../page';
import { Bits } from './bits';
import { HomeRing } from './home-ring';
import { XorMod } from './recordings';

export function XorBoard({ page }: { page: Page }) {
  const phase = page.lesson.value?.phase;
  const { settings, timeline } = page.store.session.value;
  if (page.task.value === null || timeline.operations.length === 0)
    return (
      <div class="stage board">
        <Explore page={page} />
      </div>
    );
  const event = first(eventsOf(page.store.session.value, 0), 'locate');
  const isAsking = phase === 'predict';
  return (
    <div class="stage board">
      <div class="explore-pair">
        <Rows way={settings} bits={settings.fingerprintBits} event={event} isHidden={isAsking} />
        <HomeRing count={settings.bucketCount} from={event.primary} to={isAsking ? null : event.alternate} />
      </div>
      {!isAsking && <Explore page={page} />}
    </div>
  );
}

interface RowsProps {
  readonly way: Way;
  readonly bits: number;
  readonly event: Located['event'];
  readonly isHidden?: boolean;
  readonly onFingerprint?: (place: number) => void;
  readonly onPrimary?: (place: number) => void;
}

/** Home 1, the fingerprint's own hash, and what becomes of them. */
function Rows({ way, bits, event, isHidden = false, onFingerprint, onPrimary }: RowsProps) {
  const t = words.value.boards;
  const width = bitsFor(way.bucketCount);
  const { fingerprint, primary, alternate, offset } = event;
  const isXor = way.addressing === 'xor';
  return (
    <dl class="sum">
      <dt>{t.fingerprint}</dt>
      <dd>
        <Bits
          bits={bitsOf(fingerprint, bits)}
          label={t.fingerprint}
          {...(onFingerprint && { onFlip: onFingerprint })}
        />
        <b>{hex(fingerprint, bits)}</b>
      </dd>
      <dt>{t.homeOne}</dt>
      <dd>
        <Bits bits={bitsOf(primary, width)} label={t.homeOne} {...(onPrimary && { onFlip: onPrimary })} />
        <b>{primary}</b>
      </dd>
      <dt>{isXor ? t.xorWith : t.reflectWith}</dt>
      <dd>
        <Bits bits={bitsOf(offset, width)} label={t.offset} />
        <b>{offset}</b>
      </dd>
      <dt class="sum-result">{t.homeTwo}</dt>
      <dd class="sum-result">
        {isHidden ? (
          <span class="bits">
            {Array.from({ length: width }, (_, i) => (
              <span key={i} class="bit">
                ?
              </span>
            ))}
          </span>
        ) : (
          <>
            <Bits
              bits={bitsOf(alternate, width)}
              label={t.homeTwo}
              look={(at) => (isXor && bitsOf(offset, width)[at] === 1 ? 'is-changed' : '')}
            />
            <b>{alternate}</b>
          </>
        )}
      </dd>
    </dl>
  );
}

const WAYS: readonly Way[] = [
  { bucketCount: 8, addressing: 'xor' },
  { bucketCount: 16, addressing: 'xor' },
  { bucketCount: 32, addressing: 'xor' },
  { bucketCount: 7, addressing: 'reflect' },
  { bucketCount: 12, addressing: 'reflect' },
  { bucketCount: 30, addressing: 'reflect' },
];

/** Bits to flip. Every pair shown belongs to a real key, which the core was asked for. */
function Explore({ page }: { page: Page }) {
  const t = words.value.boards;
  const kept = page.kept.value;
  const way = kept.number('way', 1, within(0, WAYS.length - 1));
  const fingerprint = kept.number('print', 0b0110, within(1, 2 ** CATALOGUE_BITS - 1));
  const primary = kept.number('home', 5, within(0, 31));
  const chosen = WAYS[way.value] ?? { bucketCount: 16, addressing: 'xor' };
  const at = Math.min(primary.value, chosen.bucketCount - 1);
  const found = located(chosen, fingerprint.value, at);
  if (found === null) return null;
  const { event, key } = found;
  const flipPrimary = (place: number): void => {
    const value = flipped(at, place);
    if (value < chosen.bucketCount) primary.value = value;
  };
  return (
    <section class="explore" aria-label={t.explore}>
      <h2>{t.explore}</h2>
      <label class="field">
        <span>{t.buckets}</span>
        <select value={way.value} onChange={(event_) => (way.value = Number(event_.currentTarget.value))}>
          {WAYS.map(({ bucketCount, addressing }, i) => (
            <option key={i} value={i}>
              {t.way(bucketCount, addressing === 'xor')}
            </option>
          ))}
        </select>
      </label>
      <div class="explore-pair">
        <Rows
          way={chosen}
          bits={CATALOGUE_BITS}
          event={event}
          onFingerprint={(place) => (fingerprint.value = flipped(fingerprint.value, place) || 1)}
          onPrimary={flipPrimary}
        />
        <HomeRing count={chosen.bucketCount} from={event.primary} to={event.alternate} />
      </div>
      <p class="board-fact" role="status">
        {event.homesCoincide ? t.meet(event.primary) : t.pair(event.primary, event.alternate)}{' '}
        {t.example(key)}
      </p>
      <button class="button" type="button" onClick={() => (primary.value = event.alternate)}>
        {t.applyAgain(event.alternate)}
      </button>
      <XorMod />
    </section>
  );
}

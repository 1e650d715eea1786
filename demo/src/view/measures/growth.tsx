// The scene of growth: each bucket becomes two, and each fingerprint spends a reserved bit to know its side.
// Invariant: what is drawn are the splits that the trace tells; a chip keeps its element, so that the browser moves it.
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../controls/button';
import { Choose } from '../../controls/choose';
import { doublings, type Doubling, type Moved } from '../../core/growth';
import { words } from '../../i18n';
import { within } from '../../app/kept';
import { hex } from '../../model/picture/chip';
import { rounded } from '../../model/statistics';
import type { Page } from '../../app/page';
import { hueStyle } from '../stage/chip';
import '../../styles/places/growth.css';
import '../../styles/plot.css';

export default function Growth({ page }: { page: Page }) {
  const t = words.value.growth;
  const all = useMemo(doublings, []);
  const chosen = page.kept.value.number('doubling', 0, within(0, all.length - 1));
  const split = page.kept.value.number('split', 0, within(0, 64));
  const lesson = page.lesson.value;
  useEffect(() => {
    if (lesson?.phase !== 'run') return;
    page.measured(lesson.part === 0 ? (all[0]?.moved[0]?.reserved.length ?? 0) : String(rateRatio(all)), 0);
  }, [lesson?.phase, lesson?.part]);
  const doubling = all[chosen.value];
  if (doubling === undefined) return null;
  const isLocked = lesson?.phase === 'predict' && lesson.part === 0;
  const { bucketCount } = doubling;
  const done = Math.min(split.value, bucketCount);
  const step = (label: string, to: number) => (
    <Button
      text={label}
      disabled={to < 0 || to > bucketCount || to === done}
      onClick={() => (split.value = to)}
    />
  );
  return (
    <section class="theatre measure growth" aria-label={words.value.scenes.growing.title}>
      <p>{t.lead}</p>
      {isLocked ? (
        <>
          <Picture doubling={doubling} done={0} isAsking />
          <p class="note">{words.value.explain.locked}</p>
        </>
      ) : (
        <>
          <Choose
            label={t.which}
            values={all.map((_, i) => i)}
            value={chosen.value}
            textOf={(i) => t.doubling(all[i]?.bucketCount ?? 0)}
            onChange={(value) => {
              chosen.value = value;
              split.value = 0;
            }}
          />
          <Picture doubling={doubling} done={done} />
          <div class="ask-actions">
            {step(t.back, done - 1)}
            {step(t.next, done + 1)}
            {step(t.all, bucketCount)}
          </div>
          <p role="status">{sentenceOf(doubling, done)}</p>
        </>
      )}
      <p class="note">{t.note}</p>
    </section>
  );
}

/** How many times the rate of false positives before the first doubling it is before the second, with twice the keys. */
function rateRatio([first, second]: readonly Doubling[]): number {
  return rounded((second?.rate ?? NaN) / (first?.rate ?? NaN));
}

interface PictureProps {
  readonly doubling: Doubling;
  readonly done: number;
  readonly isAsking?: boolean;
}

/** What the last bucket did. */
function sentenceOf({ bucketCount, moved }: Doubling, done: number): string {
  const t = words.value.growth;
  if (done === 0) return t.ready(moved[0]?.reserved.length ?? 0);
  const bucket = done - 1;
  const here = moved.filter((each) => each.bucket === bucket);
  const ones = here.filter(({ reserved }) => reserved[0] === 1).length;
  const sum = t.split(bucket, here.length - ones, ones);
  const { gap } = words.value.steps;
  return done === bucketCount ? `${sum}${gap()}${t.done(2 * bucketCount, moved.length)}` : sum;
}

/** `isAsking`: how many bits are reserved is what is asked. */
function Picture({ doubling, done, isAsking = false }: PictureProps) {
  const t = words.value.growth;
  const { bucketCount, bucketSize, fingerprintBits, moved } = doubling;
  const row = (bucket: number, isNew: boolean) => (
    <div
      key={`${isNew} ${bucket}`}
      class={`growth-row${isNew && bucket >= 2 * done ? ' is-waiting' : ''}${!isNew && bucket < done ? ' is-gone' : ''}`}
      style={{ '--bucket': bucket, '--side': Number(isNew) }}
    >
      {bucket}
    </div>
  );
  return (
    <div
      class="growth-picture"
      role="img"
      aria-label={t.picture(bucketCount, 2 * bucketCount, done)}
      style={{ '--old-rows': bucketCount }}
    >
      {Array.from({ length: bucketCount }, (_, bucket) => row(bucket, false))}
      {Array.from({ length: 2 * bucketCount }, (_, bucket) => row(bucket, true))}
      {moved.map((each) => (
        <Entry
          key={`${bucketCount} ${each.bucket}.${each.slot}`}
          moved={each}
          isThere={each.bucket < done}
          isAsking={isAsking}
          bits={fingerprintBits}
          slots={bucketSize}
        />
      ))}
    </div>
  );
}

interface EntryProps {
  readonly moved: Moved;
  readonly isThere: boolean;
  readonly isAsking: boolean;
  readonly bits: number;
  readonly slots: number;
}

/** A fingerprint below its reserved bits, of which the first says where it goes. */
function Entry({ moved, isThere, isAsking, bits, slots }: EntryProps) {
  const { fingerprint, reserved, bucket, slot, toBucket, toSlot } = moved;
  const place = isThere ? [toBucket, toSlot, 1] : [bucket, slot, 0];
  const [line = 0, column = 0, side = 0] = place;
  return (
    <div
      class={`growth-chip${isThere ? ' is-there' : ''}`}
      style={{ '--bucket': line, '--slot': column % slots, '--side': side, ...hueStyle(fingerprint) }}
    >
      <small>
        <u>{isAsking ? '?' : reserved[0]}</u>
        {!isAsking && reserved.slice(1).join('')}
      </small>
      <b>{hex(fingerprint, bits)}</b>
    </div>
  );
}

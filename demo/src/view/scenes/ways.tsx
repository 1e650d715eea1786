// One insert on one table, twice: by the paper's random walk, and by this library's search, which looks before it moves.
// Invariant: both pictures are drawn from the core's traces, of two copies of the table as it was before the insert.
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { tried } from '../../core/filling';
import { words } from '../../i18n';
import { isolated } from '../../model/text';
import { hex } from '../../model/picture/bits';
import { bucketBox, labelBox, layoutOf, slotBox, type Layout } from '../../model/picture/layout';
import { SEARCHES } from '../../model/settings';
import { arrowsOf } from '../../model/trace/marks';
import { newSession, next, type Session } from '../../model/trace/session';
import { endOf, ofKind } from '../../model/trace/state';
import type { Page } from '../../app/page';
import { ArrowsOf } from '../stage/arrows';
import { Chip } from '../stage/chip';
import '../../styles/boards.css';

/** The sessions after the last insert that took kicks, by the walk and by the search; null: there was none. */
function bothWays({ settings, timeline, notebook }: Session): readonly [string, readonly Session[]] | null {
  const at = timeline.operations.findLastIndex(({ end }) => end.kicks > 0);
  const operation = timeline.operations[at];
  if (operation === undefined) return null;
  const { key, before } = operation;
  return tried(settings, ({ engine }) => {
    for (const each of timeline.operations.slice(0, at)) engine.run(each.name, each.key);
    const start = newSession(settings, { ...before, operation: null }, notebook, 0);
    const ways = SEARCHES.map((search) => engine.tryInsert(key, search));
    return [key, ways.map((events) => next(start, { type: 'ran', key, events }))];
  });
}

export default function Ways({ page }: { page: Page }) {
  const { store } = page;
  const t = words.value.ways;
  const timeline = useComputed(() => store.told.value.timeline).value;
  const ways = useMemo(() => bothWays(store.told.peek()), [timeline, store]);
  if (ways === null) return null;
  const [key, sessions] = ways;
  const [walked = [], searched = []] = sessions.map((session) =>
    session.timeline.steps.flatMap(({ events }) => events),
  );
  const looked = new Set(ofKind(searched, 'look').map(({ bucket }) => bucket));
  const kicks = [endOf(walked), endOf(searched)].map((end) => (end.result === 'added' ? end.kicks : null));
  return (
    <section class="panel ways" aria-labelledby="ways-title">
      <h2 id="ways-title">{t.title}</h2>
      <p>{t.told(isolated(key), kicks[0] ?? null, looked.size, kicks[1] ?? null)}</p>
      <div class="pair grid">
        {sessions.map((session, i) => (
          <figure key={i}>
            <figcaption>{t.names[i]}</figcaption>
            <Way session={session} label={t.picture(kicks[i] ?? 0)} looked={i === 1 ? looked : NONE} />
          </figure>
        ))}
      </div>
      <p class="note">{t.known}</p>
    </section>
  );
}

/** The walk looks only where it kicks to. */
const NONE: ReadonlySet<number> = new Set();

/** Pixels of a table whose buckets take one line each; on a narrower screen it is drawn smaller. */
const WIDTH = 340;

function Way({ session, label, looked }: { session: Session; label: string; looked: ReadonlySet<number> }) {
  const { shape, slots } = session.place.state;
  const layout = useMemo(() => layoutOf(shape, WIDTH, true), [shape]);
  return (
    <svg
      class="way-picture"
      viewBox={`0 ${layout.top - 26} ${layout.width} ${layout.height - layout.top + 30}`}
      role="img"
      aria-label={label}
    >
      {Array.from({ length: shape.bucketCount }, (_, bucket) => (
        <Row key={bucket} layout={layout} bucket={bucket} isLooked={looked.has(bucket)} />
      ))}
      {slots.map((stored, i) => {
        const box = slotBox(layout, Math.floor(i / shape.bucketSize), i % shape.bucketSize);
        if (stored === null) return <rect key={i} class="slot-empty" {...box} rx={9} />;
        return <Chip key={i} {...box} {...stored} text={hex(stored.fingerprint, shape.fingerprintBits)} />;
      })}
      <ArrowsOf
        name={looked === NONE ? 'walk' : 'search'}
        arrows={arrowsOf(session, layout).flatMap((arrow) =>
          arrow.number === null ? [] : [{ ...arrow, look: 'latest' }],
        )}
      />
    </svg>
  );
}

function Row({ layout, bucket, isLooked }: { layout: Layout; bucket: number; isLooked: boolean }) {
  const { x, y, width, height } = bucketBox(layout, bucket);
  const label = labelBox(layout, bucket);
  return (
    <>
      <rect
        class={`bucket-tray${isLooked ? ' is-looked' : ''}`}
        x={x + 1}
        y={y - 4}
        width={width - 2}
        height={height + 8}
        rx={12}
      />
      <text class="bucket-number" x={label.x + 10} y={y + height / 2}>
        {bucket}
      </text>
    </>
  );
}

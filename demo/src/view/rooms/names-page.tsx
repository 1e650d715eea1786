// The cuckoo hash table, which keeps whole names. What it shows is what the filter then does without names.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button, KeyField, submitted } from '../../controls/fields';
import { StepButtons, type Action } from '../../controls/transport';
import type { MakeTable } from '../../core/hash-table';
import { birds, words } from '../../i18n';
import { firstFrame, insertFrames, MOST_MOVES, type Frame, type HashTable } from '../../model/names';
import { STILL_FACTOR } from '../../model/picture/timing';
import { numberOf, TOUR } from '../../model/places';
import { sampleKey } from '../../model/samples';
import { whenThere } from '../../browser/later';
import type { Page } from '../../app/page';
import { SceneNav } from '../scenes/scene-nav';
import { addressOf } from '../header';
import { Lazy } from '../lazy';
import { isLow } from '../width';
import { NamesBoard } from './names-board';
import '../../styles/stage.css';
import '../../styles/deck.css';
import '../../styles/print.css';
import '../../styles/card.css';
import '../../styles/rooms.css';

/** Slots of each table: few, so that a loop comes soon. */
const PER_TABLE = 6;
/** With it, in both languages, no two names share both places, the first sample throws one name out, and the third makes a loop. */
const SEED = 45253;
const AT_START = 5;
/** More than fit. */
const MOST_NAMES = 2 * PER_TABLE;
const SHOWN_MS = 1600;

/** With the module that they run in. */
const loadTables = async () => {
  const { loadHashTable } = await whenThere(import('../../core/hash-table'));
  const make = await loadHashTable();
  return { default: ({ page }: { page: Page }) => <Tables page={page} make={make} /> };
};

export default function NamesPage({ page }: { page: Page }) {
  const t = words.value.names;
  const tables = <Lazy load={loadTables} props={{ page }} />;
  if (page.store.presents.value) return tables;
  return (
    <>
      <SceneNav page={page} />
      <main id="main" data-place="names" class="page is-names grid">
        <div class="intro">
          <p class="intro-number">{words.value.lesson.of(numberOf('names'), TOUR.length)}</p>
          <h1>{t.title}</h1>
          <p>{t.lead}</p>
        </div>
        {tables}
      </main>
    </>
  );
}

/** The table as it was made from names, and all frames since its start. */
interface Play {
  readonly table: HashTable;
  readonly frames: readonly Frame[];
}

function begun(make: MakeTable): Play {
  const table = make(PER_TABLE, MOST_MOVES, SEED);
  for (const name of sampled(AT_START)) table.insert(name);
  return { table, frames: [firstFrame(table)] };
}

function withName({ table, frames }: Play, name: string): Play {
  const last = frames[frames.length - 1] ?? firstFrame(table);
  return { table, frames: [...frames, ...insertFrames(table, last, name)] };
}

function Tables({ page, make }: { page: Page; make: MakeTable }) {
  const t = words.value.names;
  const { isStill, speed } = page.store;
  // One name per line, in the order in which they were inserted.
  const names = page.kept.value.text('names', '');
  const play = useSignal(useMemo(() => linesOf(names.value).reduce(withName, begun(make)), []));
  const cursor = useSignal(play.value.frames.length - 1);
  const isPlaying = useSignal(false);
  const key = useSignal('');
  const stage = useRef<HTMLElement>(null);
  const { table, frames } = play.value;
  const at = cursor.value;
  const last = frames.length - 1;
  const frame = frames[at] ?? firstFrame(table);
  useEffect(() => {
    const { bottom = 0 } = stage.current?.getBoundingClientRect() ?? {};
    if (isPlaying.value && bottom > innerHeight)
      stage.current?.scrollIntoView({ behavior: isStill.value ? 'instant' : 'smooth', block: 'end' });
  }, [isPlaying.value]);
  // Goes on by itself, a frame at a time.
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    const advance = (): void => {
      if (at < last) cursor.value = at + 1;
      else isPlaying.value = false;
    };
    const timer = setTimeout(advance, (SHOWN_MS * (isStill.value ? STILL_FACTOR : 1)) / speed.value);
    return () => clearTimeout(timer);
  }, [isPlaying.value, at, last, speed.value]);

  const send = (action: Action): void => {
    cursor.value = { toStart: 0, back: at - 1, playOrPause: at, forward: at + 1, toEnd: last }[action];
    isPlaying.value = action === 'playOrPause' && !isPlaying.value;
  };
  const put = (name: string): void => {
    cursor.value = play.value.frames.length;
    play.value = withName(play.value, name);
    names.value = [...linesOf(names.value), name].join('\n');
    isPlaying.value = true;
  };
  const putTyped = (): void => {
    if (key.value.trim() !== '' && !isFull) put(key.value.trim());
  };
  /** Birds go in until one makes a loop, which is then shown. */
  const putUntilLoop = (): void => {
    for (let i = linesOf(names.value).length + AT_START; i < MOST_NAMES; ++i) {
      const from = play.value.frames.length;
      put(nextBird(play.value.frames));
      if (play.value.frames.slice(from).some(({ told }) => told.kind === 'loop')) return;
    }
  };
  const clear = (): void => {
    play.value = begun(make);
    names.value = '';
    cursor.value = 0;
    isPlaying.value = false;
  };
  const isFull = linesOf(names.value).length + AT_START >= MOST_NAMES;
  const loop = frames.findIndex(({ told }, i) => i > at && told.kind === 'loop');
  const sought = 'name' in frame.told ? frame.told.name : '';
  return (
    <>
      <div class="console-place">
        <section class="console" aria-label={t.box}>
          <form class="key-form" onSubmit={submitted(putTyped)}>
            <KeyField label={t.box} value={key} />
            <div class="key-actions grid">
              <Button look="primary" text={t.insert} type="submit" disabled={isFull} />
            </div>
          </form>
          <div class="tries">
            <Button look="kick" text={t.next} disabled={isFull} onClick={() => put(nextBird(frames))} />
            <Button text={t.loop} disabled={isFull} onClick={putUntilLoop} />
            <Button look="quiet" text={t.clear} onClick={clear} />
            {isFull && <p class="note">{t.full}</p>}
          </div>
        </section>
      </div>
      <section class="theatre" aria-label={t.tables} ref={stage}>
        <NamesBoard
          frame={frame}
          order={[...sampled(AT_START), ...linesOf(names.value)]}
          most={isLow.value || page.store.presents.value ? 1 : 1.5}
        />
        <div class="deck">
          <div class="caption row">
            <p class="caption-text" role="status" aria-live="polite">
              {/* Before an audience there is no field to type in. */}
              {frame.told.kind === 'start' && page.store.presents.value
                ? t.next
                : t.told(frame.told, frame.slots, frame.places.get(sought) ?? [])}
            </p>
          </div>
          <div class="names-steps row">
            <StepButtons
              store={page.store}
              isPlaying={isPlaying.value}
              canPlay={at < last}
              canGoBack={at > 0}
              canGoForward={at < last}
              send={send}
            />
            {at + 1 < loop && <Button look="quiet" text={t.skip} onClick={() => (cursor.value = loop)} />}
          </div>
        </div>
      </section>
      <section class="panel names-more grid">
        <h2>{t.filterTitle}</h2>
        <p>{t.filter}</p>
        <p>{t.noRehash}</p>
        <a class="button" href={addressOf('homes')}>
          {words.value.lesson.next(words.value.scenes.homes.title)}
        </a>
      </section>
    </>
  );
}

function sampled(count: number): string[] {
  return Array.from({ length: count }, (_, i) => sampleKey(birds(SEED), i));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, MOST_NAMES);
}

function nextBird(frames: readonly Frame[]): string {
  const slots = frames[frames.length - 1]?.slots ?? [];
  for (let i = 0; ; ++i) if (!slots.includes(sampleKey(birds(SEED), i))) return sampleKey(birds(SEED), i);
}

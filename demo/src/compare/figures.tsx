// Table 3 and Figures 4 to 8 of the paper, measured here, beside the native results; and the loads of cuckoo hash tables.
// Invariant: what is drawn as measured here comes from this visit, and the size it was measured at stands above it.
import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../controls/button';
import { Choose } from '../controls/choose';
import { words } from '../i18n';
import { oneOf, within } from '../app/kept';
import type { Page } from '../app/page';
import { RunBar, useRun } from '../view/plots/run-bar';
import { LabClient } from './client';
import { KindChoice, kindsOf } from './controls';
import { FigurePlots } from './figure-plots';
import { LoadTable, TableThree } from './figure-tables';
import { nativeBytes, nativeMachine } from './native';
import {
  KINDS,
  type Kind,
  type Message,
  type Point,
  type Request,
  type Row,
  type TableLoad,
} from './protocol';
import { compareWords } from './words';

export const FIGURE_IDS = [
  'table3',
  'figure4',
  'figure5',
  'figure6',
  'figure7',
  'figure8',
  'tables',
] as const;
export type FigureId = (typeof FIGURE_IDS)[number];

/** What was measured in this visit. */
export interface Measured {
  readonly points: Signal<readonly Point[]>;
  readonly rows: Signal<Readonly<Partial<Record<Kind, Row>>>>;
  readonly tables: Signal<readonly TableLoad[]>;
}

/** Buckets of six bytes, as powers of two. */
const SIZES: readonly number[] = [16, 18, 20, 21];
const BUCKET_BYTES = 6;
/** Keys in each filter of Figure 4. */
const SPACE_KEYS = 100_000;
/** The cuckoo hash table keeps whole keys, and is in no figure. */
const ALL = 2 ** KINDS.length - 1 - 2 ** KINDS.indexOf('cuckooTable');

function megabytes(bytes: number): string {
  return words.value.plot.number(bytes / 2 ** 20);
}

export default function FiguresBoard({ page }: { page: Page }) {
  const t = compareWords.value;
  const kept = page.kept.value;
  const figure = kept.number('figure', 0, within(0, FIGURE_IDS.length - 1));
  const size = kept.number('size', 18, oneOf(SIZES));
  const kinds = kept.number('rivals', ALL, within(1, ALL));
  const measured = useMemo<Measured>(
    () => ({ points: signal([]), rows: signal({}), tables: signal([]) }),
    [],
  );
  const note = useSignal('');
  const done = useSignal('');
  const handlers = useMemo<{ tell: (part: number) => void }>(() => ({ tell: () => undefined }), []);
  const client = useMemo(
    () => new LabClient((message) => hear(measured, message, (part) => handlers.tell(part))),
    [],
  );
  useEffect(() => () => client.stop(), [client]);
  const id: FigureId = FIGURE_IDS[figure.value] ?? 'table3';
  const run = useRun(async (abort, onProgress) => {
    handlers.tell = onProgress;
    [note.value, done.value] = ['', ''];
    forget(measured, id);
    const chosen = kindsOf(kinds.value & ALL);
    try {
      await client.run(requestOf(id, chosen, size.value), abort);
      if (!abort.aborted) done.value = t.drawn(t.figureNames[id]);
    } catch (error) {
      note.value = t.failed(error instanceof Error ? error.message : String(error));
    }
  });
  const choose = (i: number): void => {
    run.stop();
    figure.value = i;
    done.value = '';
  };
  return (
    <section class="theatre measure" aria-label={t.figures}>
      <h2>{t.figures}</h2>
      <p class="note">{t.figuresLead}</p>
      <div class="figure-choice" role="group" aria-label={t.figures}>
        {FIGURE_IDS.map((each, i) => (
          <Button
            key={each}
            text={t.figureNames[each]}
            aria-pressed={each === id}
            onClick={() => choose(i)}
          />
        ))}
      </div>
      {id !== 'tables' && <KindChoice kinds={kinds} among={ALL} />}
      {id !== 'tables' && id !== 'figure4' && (
        <div class="measure-controls">
          <Choose
            label={t.size}
            values={SIZES}
            bound={size}
            textOf={(log2) => t.sizeOf(megabytes(BUCKET_BYTES * 2 ** log2))}
          />
        </div>
      )}
      <RunBar run={run} label={words.value.plot.named(t.draw, t.figureNames[id])} summary={done.value} />
      {note.value !== '' && (
        <p class="note" role="status">
          {note.value}
        </p>
      )}
      <h3>{t.figureTitles[id]}</h3>
      {id === 'table3' ? (
        <TableThree measured={measured} kinds={kindsOf(kinds.value & ALL)} />
      ) : id === 'tables' ? (
        <LoadTable measured={measured} />
      ) : (
        <FigurePlots page={page} id={id} measured={measured} kinds={kindsOf(kinds.value & ALL)} />
      )}
      {id !== 'tables' && id !== 'figure4' && (
        <p class="note">{t.nativeOf(nativeMachine, megabytes(nativeBytes))}</p>
      )}
    </section>
  );
}

function requestOf(id: FigureId, kinds: readonly Kind[], log2Buckets: number): Request {
  if (id === 'tables') return { type: 'tables' };
  if (id === 'figure4') return { type: 'space', kinds, keys: SPACE_KEYS };
  return { type: 'evaluate', kinds, figure: numberOf(id), log2Buckets };
}

function numberOf(id: FigureId): number {
  return Number(id.replace(/\D/g, ''));
}

/** A figure is drawn from one run. */
function forget({ points, rows, tables }: Measured, id: FigureId): void {
  if (id === 'table3') rows.value = {};
  else if (id === 'tables') tables.value = [];
  else points.value = points.value.filter(({ figure }) => figure !== numberOf(id));
}

function hear({ points, rows, tables }: Measured, message: Message, tell: (part: number) => void): void {
  if (message.type === 'progress') tell(message.part);
  if (message.type === 'done') tell(1);
  if (message.type === 'point') points.value = [...points.value, message.point];
  if (message.type === 'row') rows.value = { ...rows.value, [message.kind]: message.row };
  if (message.type === 'table') tables.value = [...tables.value, message.table];
}

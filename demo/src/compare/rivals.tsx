// The comparison: what is compared, its progress, a row for each filter, and the files to take away.
// Invariant: what a stopped run left unfinished is not shown as measured.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../controls/button';
import { linkTo, writeAddress } from '../app/address';
import { useFileDrop } from '../controls/file-drop';
import { save, tableCsv } from '../browser/exports';
import { words } from '../i18n';
import type { Page } from '../app/page';
import { RunBar, useRun } from '../view/plots/run-bar';
import { LabClient } from './client';
import { choicesOf, Controls, goalOf, KindChoice, kindsOf, shareOf } from './controls';
import { LookForm } from './look-form';
import { comparisonSvg, HEADINGS, tableRows } from './pictures';
import { KINDS, type Kind, type Message } from './protocol';
import { best, heard, longest, BARS, stopped, waiting, type Bar, type Results } from './results';
import { Rival } from './rival';
import { Scatter } from './scatter';
import { barText, refusalText } from './texts';
import { compareWords } from './words';

export function Rivals({ page }: { page: Page }) {
  const t = compareWords.value;
  const choices = useMemo(() => choicesOf(page.kept.value), [page]);
  const hasRun = page.kept.value.number('ran', 0, (value) => value === 0 || value === 1);
  const file = useSignal<File | null>(null);
  const results = useSignal<Results>({});
  /** Lines that did not go in, and can be false positives. */
  const absentLines = useSignal(0);
  const note = useSignal('');
  // What a message changes: of the last drawing, as the worker lives longer than each.
  const live = useMemo<{ hear: (message: Message) => void; tell: (part: number) => void }>(
    () => ({ hear: () => undefined, tell: () => undefined }),
    [],
  );
  const client = useMemo(() => new LabClient((message) => live.hear(message)), []);
  live.hear = (message) => {
    if (message.type === 'progress') live.tell(message.part);
    if (message.type === 'done') live.tell(1);
    if (message.type === 'keys') {
      absentLines.value = message.absentLines;
      if (file.value !== null)
        note.value = message.present === 0 ? t.noLines : t.keysAre(message.present, message.absentLines);
    }
    results.value = heard(results.value, message);
  };
  const run = useRun(async (signal, onProgress) => {
    live.tell = onProgress;
    const kinds = kindsOf(choices.kinds.value);
    note.value = '';
    results.value = waiting(kinds);
    const goal = goalOf(choices);
    const share = shareOf(choices, file.value);
    let isWhole = false;
    try {
      await client.run(
        { type: 'compare', kinds, goal, share, keys: file.value ?? choices.count.value },
        signal,
      );
      isWhole = !signal.aborted;
    } catch (error) {
      note.value = t.failed(error instanceof Error ? error.message : String(error));
    }
    hasRun.value = Number(file.value === null && isWhole);
    if (!isWhole) results.value = stopped(results.value);
  });
  const take = (chosen: File | null): void => {
    run.stop();
    client.stop();
    results.value = {};
    note.value = '';
    file.value = chosen;
  };
  useEffect(() => {
    if (hasRun.value === 1) run.start();
    return () => client.stop();
  }, [client]);
  const rows = KINDS.filter((kind) => results.value[kind] !== undefined);
  const isDone = rows.length > 0 && !run.isRunning.value;
  const { isOver, handlers } = useFileDrop(take);
  return (
    <section class={`theatre measure${isOver.value ? ' is-over' : ''}`} aria-label={t.title} {...handlers}>
      <Controls choices={choices} file={file} onFile={take} />
      <KindChoice kinds={choices.kinds} />
      <RunBar run={run} label={t.run} summary={isDone ? summaryOf(results.value) : ''} />
      {note.value !== '' && (
        <p class="note" role="status">
          {note.value}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <LookForm client={client} isReady={isDone} />
          <p class="note">{t.sense}</p>
        </>
      )}
      <Rows
        results={results}
        client={client}
        file={absentLines.value > 0 ? file.value : null}
        isReady={isDone}
      />
      {isDone && <Scatter page={page} results={results.value} />}
      {isDone && <TakeAway page={page} results={results.value} />}
      <p class="note">{t.speedNote}</p>
    </section>
  );
}

interface RowsProps {
  readonly results: Signal<Results>;
  readonly client: LabClient;
  readonly file: File | null;
  readonly isReady: boolean;
}

/** What changes with every frame is drawn by a component of its own. */
function Rows({ results, client, file, isReady }: RowsProps) {
  const all = results.value;
  const most = Object.fromEntries(BARS.map((bar) => [bar, longest(all, bar)])) as Record<Bar, number>;
  return (
    <ol class="rivals">
      {KINDS.map((kind) => {
        const result = all[kind];
        if (result === undefined) return null;
        return (
          <Rival
            key={kind}
            kind={kind}
            result={result}
            most={most}
            onNames={file === null || !isReady ? null : () => client.ask({ type: 'names', kind, file })}
          />
        );
      })}
    </ol>
  );
}

function summaryOf(results: Results): string {
  const t = compareWords.value;
  const name = (bar: Bar): string => {
    const kind = best(results, bar);
    return kind === null ? t.none : t.names[kind];
  };
  return best(results, 'bitsPerKey') === null
    ? ''
    : t.summary(name('bitsPerKey'), name('lookupSpeed'), name('buildSpeed'));
}

/** The rows as files, and the link that measures them again. */
function TakeAway({ page, results }: { page: Page; results: Results }) {
  const t = compareWords.value;
  const note = useSignal('');
  const name = (kind: Kind): string => t.names[kind];
  const picture = (link: string): string =>
    comparisonSvg(
      results,
      {
        title: t.title,
        name,
        bar: (bar) => t.bars[bar],
        value: barText,
        missing: (kind) => refusalText(results[kind]),
      },
      link,
    );
  const csv = (link: string): string => `# ${link}\n${tableCsv(HEADINGS, tableRows(results, name))}`;
  const copy = async (): Promise<void> => {
    const link = await linkTo(page);
    writeAddress(link);
    note.value = await navigator.clipboard.writeText(link).then(
      () => words.value.share.copied,
      () => link,
    );
  };
  return (
    <div class="take-away">
      <Button look="quiet" text={t.copyLink} onClick={() => void copy()} />
      <Button
        look="quiet"
        text="SVG"
        onClick={() => void linkTo(page).then((link) => save('compare.svg', picture(link), 'image/svg+xml'))}
      />
      <Button
        look="quiet"
        text="CSV"
        onClick={() => void linkTo(page).then((link) => save('compare.csv', csv(link), 'text/csv'))}
      />
      <p class="note" role="status">
        {note.value} {t.linkNote}
      </p>
    </div>
  );
}

// A filter of the visitor's own: dropped or chosen, told, drawn and asked.
// Invariant: the file stays on the device; what it holds is read by the library alone.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button, Choose, Figures, KeyField, submitted } from '../../controls/fields';
import { words } from '../../i18n';
import { isolated } from '../../model/text';
import { KEY_KINDS, MOST_BYTES, MOST_SLOTS, openSaved } from '../../core/saved';
import type { KeyKind, SavedFilter } from '../../core/saved';
import type { Page } from '../../app/page';
import { HeatMap } from '../measures/heat-map';
import '../../styles/rooms.css';
import '../../styles/card.css';

interface Opened {
  readonly name: string;
  readonly filter: SavedFilter;
}

export default function SavedFile({ page }: { page: Page }) {
  const t = words.value.file;
  const opened = useSignal<Opened | null>(null);
  const problem = useSignal('');
  useEffect(() => () => opened.peek()?.filter.dispose(), [opened]);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    opened.value?.filter.dispose();
    opened.value = null;
    try {
      if (file.size > MOST_BYTES) throw new RangeError(t.tooLarge(file.size, MOST_BYTES));
      opened.value = { name: file.name, filter: openSaved(new Uint8Array(await file.arrayBuffer())) };
      problem.value = '';
    } catch (error) {
      const why = t.why(codeOf(error), error instanceof Error ? error.message : String(error));
      problem.value = t.refused(isolated(file.name), why);
    }
  };
  return (
    <section class="theatre measure saved-file" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      <label class="drop grid">
        <span>{t.drop}</span>
        <input
          type="file"
          // The same file may be taken again.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {opened.value !== null && <Content key={opened.value.name} opened={opened.value} />}
      <p class="note">{t.note}</p>
      <div>
        <a
          class="button is-quiet"
          href="#"
          download="table.cuckoo"
          onClick={({ currentTarget }) =>
            (currentTarget.href = URL.createObjectURL(new Blob([page.store.filter.save()])))
          }
        >
          {t.saveTable}
        </a>
      </div>
    </section>
  );
}

/** What the library or the page says why; words of the page's own have none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function Content({ opened: { name, filter } }: { opened: Opened }) {
  const t = words.value.file;
  const { bulk, plot } = words.value;
  return (
    <>
      <h3>{isolated(name)}</h3>
      <Figures rows={t.figures(filter)} />
      <Lookup filter={filter} />
      {filter.slots === null ? (
        <p class="note">{filter.isOneTable ? t.notDrawn(MOST_SLOTS) : t.layers}</p>
      ) : (
        <HeatMap slots={filter.slots} label={bulk.map(plot.percent(100 * filter.reader.loadFactor))} />
      )}
    </>
  );
}

function Lookup({ filter }: { filter: SavedFilter }) {
  const t = words.value.file;
  const key = useSignal('');
  const kind = useSignal<KeyKind>('text');
  const answer = useSignal('');
  const ask = (): void => {
    try {
      const copies = filter.count(key.value, kind.value);
      const { maybe, never } = words.value.answer;
      const told = copies === 0 ? never : `${maybe}${copies > 1 ? t.copies(copies) : ''}`;
      answer.value = t.told(isolated(key.value), told);
    } catch {
      answer.value = t.noNumber(isolated(key.value));
    }
  };
  return (
    <form class="saved-lookup" onSubmit={submitted(ask)}>
      <KeyField label={t.key} value={key} />
      <Choose label={t.kind} values={KEY_KINDS} bound={kind} textOf={(each) => t.kinds[each]} />
      <Button look="primary" text={words.value.console.contains} type="submit" />
      <p role="status">{answer.value}</p>
    </form>
  );
}

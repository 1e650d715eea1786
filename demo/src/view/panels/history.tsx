// The operations so far; each leads back to its end.
import { words } from '../../i18n';
import { operationText, outcomeOf } from '../../model/trace/story';
import type { Store } from '../../app/store';
import { useSteady } from '../steady';
import '../../styles/lists.css';

const MOST_ROWS = 8;

export function History({ store }: { store: Store }) {
  const t = words.value;
  const [{ operations }, focus] = useSteady(store, () => [store.told.value.timeline, store.told.value.focus]);
  const hidden = Math.max(0, operations.length - MOST_ROWS);
  return (
    <section class="panel">
      <h2>{t.history.title}</h2>
      {operations.length === 0 && <p class="note">{t.history.none}</p>}
      <ol class="history" reversed>
        {operations
          .map((operation, i) => (
            <li key={operation.number}>
              <button
                type="button"
                aria-current={i === focus ? 'step' : undefined}
                onClick={() => store.send({ type: 'look', operation: i })}
              >
                <span>{operationText(operation, t)}</span>
                <span class="history-outcome">{outcomeOf(operation.end, t)}</span>
              </button>
            </li>
          ))
          .slice(hidden)
          .reverse()}
      </ol>
      {hidden > 0 && <p class="note">{t.history.more(hidden)}</p>}
    </section>
  );
}

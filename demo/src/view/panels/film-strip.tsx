// The steps of an operation as numbered pictures with their sentences: what is printed in place of the moving table.
// Invariant: each picture is the stage's own, standing at that step. It is drawn when printing begins, not before.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../../i18n';
import { focused } from '../../model/trace/session';
import { captionOf, operationText } from '../../model/trace/story';
import type { Store } from '../../app/store';
import { Picture } from '../stage/stage';

/** A sheet of paper holds six; two sheets are enough for a handout. */
const MOST_FRAMES = 12;
const WIDTH = 340;

export function FilmStrip({ store }: { store: Store }) {
  const isPrinting = useSignal(false);
  useEffect(() => {
    const [begin, end] = [() => (isPrinting.value = true), () => (isPrinting.value = false)];
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, [isPrinting]);
  return isPrinting.value && !store.isLocked.value ? <Frames store={store} /> : null;
}

function Frames({ store }: { store: Store }) {
  const t = words.value;
  const operation = focused(store.session.value);
  if (operation === null) return null;
  const { steps } = store.session.value.timeline;
  const all = Array.from({ length: operation.last - operation.first }, (_, i) => operation.first + i + 1);
  // Reads change nothing, so paper goes without them; of a long path, without its middle.
  const wanted = all.filter((cursor) => !['read', 'ahead'].includes(steps[cursor - 1]?.kind ?? ''));
  const half = MOST_FRAMES / 2;
  const shown = wanted.length <= MOST_FRAMES ? wanted : [...wanted.slice(0, half), ...wanted.slice(-half)];
  return (
    <section class="film">
      <h2>{operationText(operation, t)}</h2>
      <ol>
        {shown.map((cursor) => {
          const still = store.standing(cursor);
          return (
            <li key={cursor}>
              <Picture store={still} width={WIDTH} isPaper />
              <p>
                <b>{cursor - operation.first}</b> {captionOf(still.session.value, t, false)}
              </p>
            </li>
          );
        })}
      </ol>
      {shown.length < all.length && <p class="note">{t.share.frames(shown.length, all.length)}</p>}
    </section>
  );
}

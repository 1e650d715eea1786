// The kick path in words: the arrows' numbers, in a list.
import { words } from '../i18n';
import { hex } from '../model/chip';
import { MOST_ARROWS, operationShown } from '../model/marks';
import type { Store } from '../store';

export function PathPanel({ store }: { store: Store }) {
  const t = words.value.path;
  const session = store.session.value;
  const bits = session.settings.fingerprintBits;
  const operation = operationShown(session);
  const kicks = operation?.kicks ?? [];
  const standing = kicks.length - (operation?.undoneCount ?? 0);
  const placed = operation?.placed ?? null;
  return (
    <section class="panel">
      <h2>{t.title}</h2>
      {kicks.length === 0 ? (
        <p class="note">{t.none}</p>
      ) : (
        <ol class="path" tabindex={kicks.length > 6 ? 0 : undefined}>
          {kicks.map(({ kick, before, bucket, slot, otherBucket }, i) => (
            <li key={kick} class={i >= standing ? 'is-undone' : i === standing - 1 ? 'is-latest' : ''}>
              <span class="path-number">{kick}</span>
              <span>
                {t.row(kick, hex(before, bits), bucket, slot, otherBucket)}
                {i >= standing && <em> ({t.undone})</em>}
              </span>
            </li>
          ))}
          {placed !== null && (
            <li class="is-landing">
              <span class="path-number" aria-hidden="true" />
              <span>{t.placed(hex(placed.after, bits), placed.bucket, placed.slot)}</span>
            </li>
          )}
        </ol>
      )}
      {kicks.length > MOST_ARROWS && (
        <p class="note">{words.value.stage.hiddenArrows(MOST_ARROWS, kicks.length)}</p>
      )}
    </section>
  );
}

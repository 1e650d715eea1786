// The sentence of the step shown, which is also what a screen reader speaks, and the operation's answer as a shape.
import { words } from '../../i18n';
import { truthOf } from '../../model/trace/ledger';
import { operationShown } from '../../model/trace/marks';
import { captionOf, lookOf, notebookRemark, outcomeOf } from '../../model/trace/story';
import type { Store } from '../../app/store';
import { kickTold, lighting, litClass } from './lit';
import { marked } from './chip';

export function Caption({ store }: { store: Store }) {
  const t = words.value;
  const told = store.isPlain.value ? { ...t, steps: { ...t.steps, ...t.guide.plain } } : t;
  const session = store.session.value;
  const truth = truthOf(session);
  const kick = kickTold(store);
  const remark = notebookRemark(session, t);
  return (
    <section
      class={`caption row${litClass(store, kick)}`}
      aria-label={t.explain.title}
      {...lighting(store, kick)}
    >
      <Answer store={store} />
      <p class="caption-text" role="status" aria-live="polite">
        {marked(captionOf(session, told, store.isLocked.value))}
        {remark !== '' && (
          <span class="note">
            {t.steps.gap()}
            {truth !== null && <b class={`truth is-${truth}`}>{t.answer.truths[truth]}</b>} {remark}
          </span>
        )}
      </p>
    </section>
  );
}

/** A ring for what may be, a bar for what is certain; other outcomes have a dot. */
function Answer({ store }: { store: Store }) {
  const t = words.value;
  const end = operationShown(store.session.value)?.end ?? null;
  if (end === null) return null;
  const look = lookOf(end);
  return (
    <div class={`answer row is-${look}`} data-answer={look}>
      <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
        {look === 'maybe' && <circle cx="20" cy="20" r="14" />}
        {look === 'never' && <rect x="4" y="14" width="32" height="12" rx="2" />}
        {look === 'done' && <path d="M9 21l8 8 15-17" />}
        {look === 'refused' && <path d="M28 12H12a6 6 0 0 0 0 12h16M22 17l7 7-7 7" />}
      </svg>
      <strong>{outcomeOf(end, t)}</strong>
    </div>
  );
}

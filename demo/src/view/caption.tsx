// The sentence of the step shown, which is also what a screen reader speaks, and the operation's answer as a shape.
import { words } from '../i18n';
import { useSignal } from '@preact/signals';
import { bitsFor, bitsOf } from '../model/bits';
import { hex } from '../model/chip';
import { truthOf } from '../model/ledger';
import { kickedOf, operationShown, type Kicked } from '../model/marks';
import type { Session } from '../model/session';
import { captionOf, lookOf, notebookRemark, outcomeOf } from '../model/story';
import type { Store } from '../store';
import { Bits } from './bits';

export function Caption({ store }: { store: Store }) {
  const t = words.value;
  const session = store.session.value;
  const truth = truthOf(session);
  const remark = notebookRemark(session, t);
  const kicked = store.isLocked.value ? null : kickedOf(operationShown(session));
  const isOpen = useSignal(false);
  return (
    <section class="caption" aria-label={t.explain.title}>
      <Answer store={store} />
      <p class="caption-text" role="status" aria-live="polite">
        {captionOf(session, t, store.isLocked.value)}
        {remark !== '' && (
          <span class="caption-remark">
            {t.steps.gap()}
            {truth !== null && <b class={`truth is-${truth}`}>{t.answer.truths[truth]}</b>} {remark}
          </span>
        )}
      </p>
      {kicked !== null && (
        <button
          class="button is-kick is-small"
          type="button"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {t.why.open}
        </button>
      )}
      {kicked !== null && isOpen.value && <Columns session={session} kicked={kicked} />}
    </section>
  );
}

/** The sum of the fingerprint that was kicked out, worked out by columns of bits. */
function Columns({ session, kicked }: { session: Session; kicked: Kicked }) {
  const t = words.value.why;
  const { bucketCount, fingerprintBits, addressing } = session.settings;
  const { stored, kick } = kicked;
  if (addressing === 'reflect')
    return (
      <p class="why note">
        {t.reflect(kick.bucket, kick.otherBucket, stored.offset, bucketCount)} {t.back}
      </p>
    );
  const width = bitsFor(bucketCount);
  const changed = bitsOf(stored.offset, width);
  const row = (value: number, label: string, look = '') => (
    <tr class={look}>
      <td>
        <Bits
          bits={bitsOf(value, width)}
          label={label}
          look={(at) => (look !== '' && changed[at] === 1 ? 'is-changed' : '')}
        />
      </td>
      <td>{value}</td>
      <th scope="row">{label}</th>
    </tr>
  );
  return (
    <div class="why">
      <table>
        <tbody>
          {row(kick.bucket, t.here)}
          {row(stored.offset, t.hash(hex(stored.fingerprint, fingerprintBits)))}
          {row(kick.otherBucket, t.there, 'is-sum')}
        </tbody>
      </table>
      <p class="note">
        {t.rule} {t.back}
      </p>
    </div>
  );
}

/** A ring for what may be, a bar for what is certain; other outcomes have a dot. */
function Answer({ store }: { store: Store }) {
  const t = words.value;
  const end = operationShown(store.session.value)?.end ?? null;
  if (end === null) return null;
  const look = lookOf(end);
  return (
    <div class={`answer is-${look}`} data-answer={look}>
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

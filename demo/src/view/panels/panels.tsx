// The operation as pseudocode: the line of the step shown stands out, and each opens to its line of C++.
import { words } from '../../i18n';
import { codeOf, lineOf } from '../../model/trace/code';
import { currentStep, focused } from '../../model/trace/session';
import type { Store } from '../../app/store';
import { hex } from '../../model/picture/bits';
import { latestKick, MOST_ARROWS, operationShown } from '../../model/trace/marks';
import { kickSums, sumText } from '../../model/trace/sum';
import { lighting } from '../stage/lit';
import { marked } from '../stage/chip';
import '../../styles/lists.css';

export function CodePanel({ store }: { store: Store }) {
  const t = words.value.code;
  const session = store.told.value;
  const name = focused(session)?.name ?? 'insert';
  const step = currentStep(session);
  const current = step && lineOf(step);
  return (
    <section class="panel">
      <h2>{t.title(words.value.console[name])}</h2>
      <ol class="code grid">
        {codeOf(name, session.settings.search).map(({ id, told, cpp, depth }) => (
          <li
            key={id}
            class={id === current ? 'is-current' : ''}
            aria-current={id === current ? 'step' : undefined}
          >
            <details>
              <summary style={{ paddingInlineStart: `${26 + 18 * depth}px` }}>{t.lines[told]}</summary>
              <code>{cpp.split(LONG).flatMap((part, i) => (i === 0 ? part : [<wbr key={i} />, part]))}</code>
            </details>
          </li>
        ))}
      </ol>
      <p class="note">{t.note}</p>
    </section>
  );
}

/** Where code without a space, too long for a line on a phone, goes on below. */
const LONG = /(?<=\S{13}[(.:])(?=[^\s:]\S{9})/;

export function PathPanel({ store }: { store: Store }) {
  const t = words.value.path;
  const session = store.told.value;
  const operation = operationShown(session);
  const { fingerprintBits: bits } = session.settings;
  const kicks = operation?.found?.kicks ?? operation?.kicks ?? [];
  const latest = operation === null ? -1 : latestKick(operation);
  const placed = operation?.found?.place ?? operation?.placed ?? null;
  const sums = kickSums(session).map(sumText);
  const standing = kicks.length - (operation?.undoneCount ?? 0);
  return (
    <section class="panel">
      <h2>{t.title}</h2>
      {kicks.length === 0 ? (
        <p class="note">{t.none}</p>
      ) : (
        <ol class="path grid">
          {kicks.map(({ kick, before, bucket, slot, otherBucket }, i) => (
            <li
              key={kick}
              tabindex={0}
              class={`${i >= standing ? 'is-undone' : i === latest ? 'is-latest' : ''}${store.lit.value === kick ? ' is-lit' : ''}`}
              {...lighting(store, kick)}
            >
              <span class="path-number grid">{kick}</span>
              <span>
                {marked(
                  otherBucket === bucket
                    ? t.rowSame(hex(before, bits), bucket, slot)
                    : t.row(kick, hex(before, bits), bucket, slot, otherBucket),
                )}
                {i >= standing && <em>{t.undone}</em>}
                {'\u2003'}
                <code class="path-sum">{sums[i]}</code>
              </span>
            </li>
          ))}
          {placed !== null && (
            <li class="is-landing">
              <span class="path-number grid" aria-hidden="true" />
              <span>{marked(t.placed(hex(placed.after, bits), placed.bucket, placed.slot))}</span>
            </li>
          )}
        </ol>
      )}
      {standing > MOST_ARROWS && (
        <p class="note">{words.value.stage.hiddenArrows(MOST_ARROWS, kicks.length)}</p>
      )}
    </section>
  );
}

// The operation as pseudocode: the line of the step shown stands out, and each opens to its line of C++.
import { words } from '../../i18n';
import { codeOf, lineOf } from '../../model/trace/code';
import { currentStep, focused } from '../../model/trace/session';
import type { Store } from '../../app/store';
import '../../styles/lists.css';

export function CodePanel({ store }: { store: Store }) {
  const t = words.value.code;
  const session = store.told.value;
  const name = focused(session)?.name ?? 'insert';
  const step = currentStep(session);
  const current = step && lineOf(step);
  return (
    <section class="panel">
      <h2>{t.title(t.names[name])}</h2>
      <ol class="code">
        {codeOf(name, session.settings.search).map(({ id, told, cpp, depth }) => (
          <li
            key={id}
            class={id === current ? 'is-current' : ''}
            aria-current={id === current ? 'step' : undefined}
          >
            <details>
              <summary style={{ paddingInlineStart: `${26 + 18 * depth}px` }}>{t.lines[told ?? id]}</summary>
              <code>{cpp}</code>
            </details>
          </li>
        ))}
      </ol>
      <p class="note">{t.note}</p>
    </section>
  );
}

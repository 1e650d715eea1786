// A whole table, five things to try on it, what tells an operation in other ways, and the way to the scenes.
// Invariant: the panels appear with the first operation, and the lines of code with the last thing tried.
import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { FirstMinute } from '../../app/first-minute';
import { Console } from '../../controls/console';
import { words } from '../../i18n';
import { focused } from '../../model/trace/session';
import { nameOf } from '../../app/name';
import type { Page } from '../../app/page';
import { CodePanel } from '../panels/code-panel';
import { ApiLines } from './api-lines';
import { Rows } from './first-minute';
import { PathPanel } from '../panels/path-panel';
import { InTurn } from '../lazy';
import { Theatre } from '../stage/theatre';
import { Tools } from '../panels/tools';
import { Tour } from '../scenes/tour';
import '../../styles/guide.css';

export default function StartTable({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  const kept = page.kept.value;
  const minute = useMemo(() => new FirstMinute(page), [page, kept]);
  const name = nameOf(page);
  useEffect(() => minute.receive(name), [minute, name]);
  const isQuiet = useComputed(() => focused(store.session.value) === null).value;
  const isTold = useComputed(() => focused(store.told.value) !== null).value;
  return (
    <div class={isQuiet ? 'start-table is-quiet' : 'start-table'}>
      <InTurn>
        <div class="console-place">
          <h2>{t.guide.title}</h2>
          <p>{t.guide.lead}</p>
          <Console page={page}>
            <Rows minute={minute} />
          </Console>
        </div>
        <div class="start-stage">
          <Theatre
            store={store}
            next={!isQuiet && <Rows minute={minute} isNextOnly />}
            isGoal={page.link.value.operations.length > 0}
          />
        </div>
        <ApiLines minute={minute} settings={store.session.value.settings} />
        {isTold && (
          <div class="panels">
            <PathPanel store={store} />
            <CodePanel store={store} />
          </div>
        )}
        <Tools page={page} />
        <Tour page={page} />
      </InTurn>
    </div>
  );
}

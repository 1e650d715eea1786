// The lab: every control, a small table to step through, a large one to fill, and a filter of the visitor's own.
import { Console } from '../../controls/console';
import { Handles } from '../../controls/handles';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { GraphBoard } from '../scenes/boards';
import Bulk from '../measures/bulk';
import { CodePanel, PathPanel } from '../panels/panels';
import { Lazy } from '../lazy';
import { Tools } from '../panels/tools';

const loadSaved = (): Promise<typeof import('./saved-file')> => import('./saved-file');

export default function LabPage({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  return (
    <main id="main" data-place="lab" class="page grid">
      <div class="intro">
        <h1>{t.nav.lab}</h1>
        <p>{t.lab.lead}</p>
      </div>
      <div class="console-place">
        <Console page={page} />
      </div>
      <div class="stack">
        <Handles page={page} />
        <GraphBoard page={page} />
        <Tools page={page} />
      </div>
      <div class="panels">
        <PathPanel store={store} />
        <CodePanel store={store} />
      </div>
      <Bulk page={page} />
      <Lazy load={loadSaved} props={{ page }} />
    </main>
  );
}

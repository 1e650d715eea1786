// The lab: every control, a small table to step through, and large ones to measure.
import { Console } from '../../controls/console';
import { SettingsForm } from '../../controls/settings';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { GraphBoard } from '../scenes/boards';
import Bulk from '../measures/bulk';
import { CodePanel } from '../panels/code-panel';
import { History } from '../panels/history';
import { KeyPanel } from '../panels/key-panel';
import { LabTabs } from './lab-tabs';
import { PathPanel } from '../panels/path-panel';
import Rates from '../measures/rates';
import { Share } from '../panels/share';
import { Shortcuts } from '../panels/shortcuts';

/** Where the stage stands beside the settings; below them it would be far down. */
function isWide(): boolean {
  return matchMedia('(min-width: 1000px)').matches;
}

export default function LabPage({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  return (
    <main id="main" data-place="lab" class="page">
      <div class="intro">
        <LabTabs place="lab" />
        <h1>{t.nav.lab}</h1>
        <p>{t.lab.lead}</p>
      </div>
      <div class="console-place">
        <Console page={page} />
        <details class="panel" open={isWide()}>
          <summary>{t.settings.title}</summary>
          <SettingsForm page={page} />
        </details>
      </div>
      <div class="stack">
        <GraphBoard page={page} />
        <Bulk page={page} />
        <Rates page={page} />
      </div>
      <div class="panels">
        <PathPanel store={store} />
        <CodePanel store={store} />
        <KeyPanel store={store} />
        <History store={store} />
        <Share page={page} />
        <Shortcuts store={store} />
      </div>
    </main>
  );
}

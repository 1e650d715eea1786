// What stands beside the table of the first page, loaded once that is drawn: at first the settings alone, and with the
// first operation all that tells it in other ways.
import { SettingsForm } from '../controls/settings';
import { words } from '../i18n';
import type { Page } from '../page';
import { CodePanel } from './code-panel';
import { History } from './history';
import { KeyPanel } from './key-panel';
import { PathPanel } from './path-panel';
import { Share } from './share';
import { Shortcuts } from './shortcuts';

export default function StartPanels({ page, isQuiet }: { page: Page; isQuiet: boolean }) {
  const { store } = page;
  return (
    <div class="panels">
      {!isQuiet && (
        <>
          <PathPanel store={store} />
          <CodePanel store={store} />
          <KeyPanel store={store} />
          <History store={store} />
        </>
      )}
      <details class="panel">
        <summary>{words.value.settings.title}</summary>
        <SettingsForm page={page} />
      </details>
      {!isQuiet && (
        <>
          <Share page={page} />
          <Shortcuts store={store} />
        </>
      )}
    </div>
  );
}

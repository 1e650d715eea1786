// Below a table, folded: its settings, links and files, and the keyboard.
import { SettingsForm } from '../../controls/settings';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { Share } from './share';
import { Shortcuts } from './shortcuts';

export function Tools({ page }: { page: Page }) {
  return (
    <div class="tools">
      <details class="panel">
        <summary>{words.value.settings.title}</summary>
        <SettingsForm key={page.link.value.place} page={page} />
      </details>
      <Share page={page} />
      <Shortcuts store={page.store} />
    </div>
  );
}

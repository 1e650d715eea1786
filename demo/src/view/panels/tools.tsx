// Below a table, in one drawer: its settings, the link, and the keyboard.
import { SettingsForm } from '../../controls/settings';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { Share } from './share';
import { Shortcuts } from './shortcuts';

interface ToolsProps {
  readonly page: Page;
  /** Whether the table is the visitor's to choose. */
  readonly hasSettings?: boolean;
}

export function Tools({ page, hasSettings = true }: ToolsProps) {
  const { tools, settings } = words.value;
  return (
    <details class="panel tools">
      <summary>{tools(hasSettings)}</summary>
      <div class="tools-parts">
        {hasSettings && (
          <section>
            <h2>{settings.title}</h2>
            <SettingsForm key={page.link.value.place} page={page} />
          </section>
        )}
        <Share page={page} />
        <Shortcuts />
      </div>
    </details>
  );
}

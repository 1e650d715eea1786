// The first page: a key to type, a table to watch, and the way to the scenes.
import { Console } from '../controls/console';
import { SettingsForm } from '../controls/settings';
import { words } from '../i18n';
import { SCENES } from '../model/places';
import type { Page } from '../page';
import { CodePanel } from './code-panel';
import { addressOf } from './header';
import { History } from './history';
import { KeyPanel } from './key-panel';
import { PathPanel } from './path-panel';
import { ScoreLine } from './score';
import { Share } from './share';
import { Shortcuts } from './shortcuts';
import { Theatre } from './theatre';

export function StartPage({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  return (
    <main id="main" data-place="start" class="page">
      <div class="intro">
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </div>
      <Console store={store} />
      <Theatre store={store} />
      <div class="panels">
        <PathPanel store={store} />
        <CodePanel store={store} />
        <KeyPanel store={store} />
        <History store={store} />
        <details class="panel">
          <summary>{t.settings.title}</summary>
          <SettingsForm page={page} />
        </details>
        <Share page={page} />
        <Shortcuts store={store} />
      </div>
      <section class="tour" aria-labelledby="tour-title">
        <h2 id="tour-title">{t.nav.tour}</h2>
        <p>{t.nav.tourLead}</p>
        <ScoreLine page={page} canForget />
        <ol>
          {SCENES.map((scene, i) => (
            <li key={scene}>
              <a href={addressOf(scene)}>
                <span class="scene-number">{i + 1}</span>
                <strong>{t.scenes[scene].title}</strong>
                <span>{t.scenes[scene].lead}</span>
              </a>
            </li>
          ))}
        </ol>
      </section>
    </main>
  );
}

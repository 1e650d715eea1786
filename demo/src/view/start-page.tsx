// The first page: what a filter is for, a key to type, a whole table to watch, and the way to the scenes. What tells an
// operation in other ways appears with the first operation.
import { Console } from '../controls/console';
import { words } from '../i18n';
import { focused } from '../model/session';
import { TOUR } from '../model/places';
import type { Page } from '../page';
import { addressOf } from './header';
import { Lazy } from './lazy';
import { ScoreLine } from './score';
import { useSteady } from './steady';
import { Theatre } from './theatre';

const loadPanels = (): Promise<typeof import('./start-panels')> => import('./start-panels');

export function StartPage({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  const [isQuiet] = useSteady(store, () => [focused(store.session.value) === null]);
  return (
    <main id="main" data-place="start" class={isQuiet ? 'page is-quiet' : 'page'}>
      <div class="intro">
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </div>
      <Console store={store} />
      <Theatre store={store} />
      <Lazy load={loadPanels} props={{ page, isQuiet }} />
      <section class="tour" aria-labelledby="tour-title">
        <h2 id="tour-title">{t.nav.tour}</h2>
        <p>{t.nav.tourLead}</p>
        <ScoreLine page={page} canForget />
        <ol>
          {TOUR.map((scene, i) => (
            <li key={scene}>
              <a href={addressOf(scene)}>
                <span class="scene-number">{i}</span>
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

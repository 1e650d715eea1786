// The way through all scenes: a list in four acts.
import { words } from '../i18n';
import { ACTS, TOUR } from '../model/places';
import type { Page } from '../page';
import { addressOf } from './header';
import { ScoreLine } from './score';

export function Tour({ page }: { page: Page }) {
  const t = words.value;
  return (
    <section class="tour" aria-labelledby="tour-title">
      <h2 id="tour-title">{t.tour.title}</h2>
      <p>{t.tour.lead}</p>
      <ScoreLine page={page} canForget />
      {ACTS.map((act, i) => (
        <section key={i} class="act" aria-label={t.tour.acts[i]}>
          <h3>{t.tour.acts[i]}</h3>
          <ol>
            {act.map((scene) => (
              <li key={scene}>
                <a href={addressOf(scene)}>
                  <span class="scene-number">{TOUR.indexOf(scene)}</span>
                  <strong>{t.scenes[scene].title}</strong>
                  <span>{t.scenes[scene].lead}</span>
                </a>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}

// The way through all scenes: a list in four acts.
import { words } from '../../i18n';
import { ACTS, TOUR } from '../../model/places';
import type { Page } from '../../app/page';
import { addressOf } from '../header';
import { ScoreLine } from './score';
import '../../styles/places/tour.css';

export function Tour({ page }: { page: Page }) {
  const t = words.value.tour;
  return (
    <section class="tour" aria-labelledby="tour-title">
      <h2 id="tour-title">{t.title}</h2>
      <p>{t.lead}</p>
      <ScoreLine page={page} canForget />
      <Acts page={page} hasLeads />
    </section>
  );
}

/** The scenes by name, those that the visitor answered marked. */
export function Acts({ page, hasLeads = false }: { page: Page; hasLeads?: boolean }) {
  const t = words.value;
  const { place } = page.link.value;
  const isDone = (scene: string): boolean =>
    [0, 1].some((part) => page.score.value[`${scene}.${part}`] !== undefined);
  return ACTS.map((act, i) => (
    <section key={i} class="act" aria-label={t.tour.acts[i]}>
      <p class="act-name">{t.tour.acts[i]}</p>
      <ol>
        {act.map((scene) => (
          <li key={scene}>
            <a href={addressOf(scene)} aria-current={place === scene ? 'page' : undefined}>
              <span class={isDone(scene) ? 'scene-number is-done' : 'scene-number'}>
                {TOUR.indexOf(scene)}
              </span>
              <strong>{t.scenes[scene].title}</strong>
              {hasLeads && <span>{t.scenes[scene].lead}</span>}
            </a>
          </li>
        ))}
      </ol>
    </section>
  ));
}

// The way through all scenes: a list in four acts.
import { titleOf, words } from '../../i18n';
import { ACTS, numberOf, type PlaceId, stopOn, type TOUR } from '../../model/places';
import type { Page } from '../../app/page';
import { addressOf } from '../header';
import '../../styles/tour.css';

export function Tour({ page }: { page: Page }) {
  const t = words.value.tour;
  return (
    <section class="tour grid" aria-labelledby="tour-title">
      <h2 id="tour-title">{t.title}</h2>
      <p class="note">{t.lead}</p>
      <Acts page={page} hasLeads />
    </section>
  );
}

/** What each scene is about, in a few lines: slots, ways between them, loads and curves. */
const PICTURES: Readonly<Record<(typeof TOUR)[number], string>> = {
  names: 'M6 5h16v11h-16ZM6 20h16v11h-16ZM42 5h16v11h-16ZM42 20h16v11h-16ZM22 11L42 25',
  homes: 'M4 23h13v11h-13ZM26 23h13v11h-13ZM48 23h13v11h-13ZM10 19C10 3 54 3 54 18M49 13l5 5 5-5',
  lookup: 'M4 5h38v11h-38ZM4 20h38v11h-38ZM48 10l4 4 8-9M48 25l4 4 8-9',
  kick: 'M4 4h20v11h-20ZM40 21h20v11h-20ZM24 9h8v17h6M33 21l5 5-5 5',
  fail: 'M40 6a15 15 0 1 1-16 0M24 13v-8h8M27 15l10 10M37 15l-10 10',
  hunt: 'M28 3a12 12 0 1 0 .1 0ZM37 24l9 9M22 15h12',
  delete: 'M6 12h22v12h-22ZM36 12h22v12h-22ZM32 32L62 4',
  race: 'M6 32v-14h10v14ZM20 32v-20h10v20ZM34 32v-25h10v25ZM48 32v-28h10v28Z',
  bits: 'M6 3v29h54M8 6C24 20 40 26 58 28M8 15C24 20 40 23 58 24',
};

export function Acts({ page, hasLeads = false }: { page: Page; hasLeads?: boolean }) {
  const t = words.value;
  const { place } = page.link.value;
  return ACTS.map((act, i) => (
    <section key={i} class="act" aria-label={t.tour.acts[i]}>
      {!hasLeads && <p class="act-name">{t.tour.acts[i]}</p>}
      <ol>
        {act.map((scene) => (
          <li key={scene}>
            <a href={addressOf(scene)} aria-current={place === scene ? 'page' : undefined}>
              {hasLeads && (
                <svg class="act-picture" viewBox="0 0 64 36" aria-hidden="true">
                  <path d={PICTURES[scene]} />
                </svg>
              )}
              <span class="scene-number grid">{numberOf(scene)}</span>
              <strong>{t.scenes[scene].title}</strong>
              {hasLeads && <span>{t.scenes[scene].lead}</span>}
            </a>
          </li>
        ))}
      </ol>
    </section>
  ));
}

/** `presents`: whether the next place fills the window too, if it has a picture. */
export function Onward({ page, scene, presents }: { page: Page; scene: PlaceId; presents?: boolean }) {
  const t = words.value.lesson;
  const stop = stopOn(page.link.value.course, scene, 1);
  return (
    <a
      data-next={stop !== undefined}
      class={presents ? 'button' : 'button is-primary'}
      href={page.stopAt(stop ?? 'teach', presents === true)}
    >
      {stop === undefined ? t.wayEnds : t.next(titleOf(stop))}
    </a>
  );
}

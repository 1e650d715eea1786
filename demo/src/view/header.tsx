// The bar at the top: the places of the page, the language and the theme.
// Invariant: every place is a plain link, so that it can be opened in another tab, kept and shared.
import { languageOther, setLanguage, words } from '../i18n';
import { formatLink, HOME } from '../model/link';
import { isInTour, TOUR, type PlaceId } from '../model/places';
import type { Page } from '../page';
import { nextTheme, theme } from '../theme';
import { Icon } from './icons';

export function addressOf(place: PlaceId, round = 0): string {
  return `#${formatLink({ ...HOME, place, round })}`;
}

/** The comparison is a part of the lab. */
function isPartOf(to: PlaceId, place: PlaceId): boolean {
  return to === 'lab' && place === 'compare';
}

export function Header({ page }: { page: Page }) {
  const t = words.value.nav;
  const { place } = page.link.value;
  const link = (to: PlaceId, text: string, short?: string) => (
    <a href={addressOf(to)} aria-current={place === to ? 'page' : isPartOf(to, place) ? 'true' : undefined}>
      <span class={short === undefined ? '' : 'is-long'}>{text}</span>
      {short !== undefined && (
        <span class="is-short" aria-hidden="true">
          {short}
        </span>
      )}
    </a>
  );
  return (
    <header class="bar">
      <a class="bar-brand" href={addressOf('start')} aria-current={place === 'start' ? 'page' : undefined}>
        <Icon name="brand" />
        <span>{t.brand}</span>
      </a>
      <nav class="bar-places" aria-label={t.title}>
        <a href={addressOf('names')} aria-current={isInTour(place) ? 'true' : undefined}>
          {t.learn}
        </a>
        {link('lab', t.lab)}
        {link('be', t.be, t.beShort)}
        {link('teach', t.teach)}
      </nav>
      <div class="bar-tools">
        <button class="bar-tool" type="button" title={t.themes[theme.value]} onClick={nextTheme}>
          <Icon name={theme.value} />
          <span class="visually-hidden">{t.themes[theme.value]}</span>
        </button>
        <button
          class="bar-tool"
          type="button"
          lang={languageOther().lang}
          onClick={() => void setLanguage(languageOther().id)}
        >
          {languageOther().name}
        </button>
      </div>
    </header>
  );
}

/** The scenes: numbers in a row, with the name of the one that is open; on a phone, a list to choose from. */
export function SceneNav({ page }: { page: Page }) {
  const { scenes } = words.value;
  const { place } = page.link.value;
  return (
    <nav class="scene-nav" aria-label={words.value.nav.scenes}>
      <ol>
        {TOUR.map((scene, i) => (
          <li key={scene}>
            <a
              href={addressOf(scene)}
              aria-current={place === scene ? 'page' : undefined}
              title={scenes[scene].title}
              class={markOf(page, scene)}
            >
              <span class="scene-number">{i}</span>
              <span class={place === scene ? 'scene-title' : 'visually-hidden'}>{scenes[scene].title}</span>
            </a>
          </li>
        ))}
      </ol>
      <label class="scene-choice">
        <span class="visually-hidden">{words.value.nav.scenes}</span>
        <select
          value={isInTour(place) ? place : ''}
          onChange={(event) => (location.hash = addressOf(event.currentTarget.value as PlaceId))}
        >
          {TOUR.map((scene, i) => (
            <option key={scene} value={scene}>
              {i}. {scenes[scene].title}
            </option>
          ))}
        </select>
      </label>
    </nav>
  );
}

function markOf(page: Page, scene: string): string {
  const isDone = [0, 1].some((part) => page.score.value[`${scene}.${part}`] !== undefined);
  return isDone ? 'is-done' : '';
}

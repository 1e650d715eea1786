// The scenes beside each other, to go from one to another.
import { words } from '../i18n';
import { isInTour, TOUR, type PlaceId } from '../model/places';
import type { Page } from '../page';
import { addressOf } from './header';
import '../styles/tour.css';

/** The scenes: numbers in a row, with the name of the one that is open; on a phone, a list to choose from. */
export function SceneNav({ page }: { page: Page }) {
  const { scenes } = words.value;
  const { place, isEmbedded } = page.link.value;
  if (isEmbedded) return null;
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

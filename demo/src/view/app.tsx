// The page: the bar, and the place that is open.
// Invariant: the order of the elements is the order of reading, on a phone as with a screen reader.
import { words } from '../i18n';
import { isScene } from '../model/places';
import type { Page } from '../page';
import { Header, SceneNav } from './header';
import { ScenePage } from './scene-page';
import { StartPage } from './start-page';

export function App({ page }: { page: Page }) {
  const { place, isReadable } = page.link.value;
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        {words.value.nav.skip}
      </a>
      <Header page={page} />
      {place !== 'start' && isScene(place) && <SceneNav page={page} />}
      {!isReadable && (
        <p class="warning" role="alert">
          {words.value.nav.otherVersion}
        </p>
      )}
      {isScene(place) ? <ScenePage key={place} page={page} scene={place} /> : <StartPage page={page} />}
    </>
  );
}

/** The address belongs to the place, so the jump is made here. */
function toMain(event: Event): void {
  event.preventDefault();
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

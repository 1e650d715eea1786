// The page: the bar, and the place that is open.
// Invariant: the order of the elements is the order of reading, on a phone as with a screen reader.
import { loadWords, titleOf, words } from '../i18n';
import { isPresented, isScene, type PlaceId } from '../model/places';
import type { Page } from '../app/page';
import { whenThere } from '../browser/later';
import { Header } from './header';
import { Lazy } from './lazy';
import { StartPage } from './start/start-page';

export function App({ page }: { page: Page }) {
  const { place, isReadable, isMoved, isEmbedded } = page.link.value;
  const { title, nav } = words.value;
  document.title = place === 'start' ? title : `${titleOf(place)} · ${nav.brand}`;
  if (page.store.presents.value && isPresented(place)) return <Lazy load={loadPresent} props={{ page }} />;
  if (isEmbedded) {
    return (
      <div class="is-embedded">
        <Place page={page} place={place} />
      </div>
    );
  }
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        {nav.skip}
      </a>
      <Header page={page} />
      {(isMoved || !isReadable) && (
        <p class="warning" role="alert">
          {isReadable ? nav.moved : nav.otherVersion}
        </p>
      )}
      <Place page={page} place={place} />
    </>
  );
}

const loadPresent = async (): Promise<typeof import('./rooms/present')> => {
  const [present] = await Promise.all([whenThere(import('./rooms/present')), loadWords()]);
  return present;
};

const loadScene = (): Promise<typeof import('./scenes/scene-page')> => import('./scenes/scene-page');

const LOADERS = {
  names: () => import('./rooms/names-page'),
  lab: () => import('./rooms/lab-page'),
  be: () => import('./rooms/be-page'),
  teach: () => import('./rooms/teach-page'),
  end: () => import('./rooms/end-page'),
};

function Place({ page, place }: { page: Page; place: PlaceId }) {
  const key = `${place} ${page.visit.value}`;
  if (isScene(place)) return <Lazy key={key} load={loadScene} props={{ page, scene: place }} />;
  if (place === 'start') return <StartPage page={page} />;
  return <Lazy key={key} load={LOADERS[place]} props={{ page }} />;
}

/** The address belongs to the place, so the jump is made here. */
function toMain(event: Event): void {
  event.preventDefault();
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

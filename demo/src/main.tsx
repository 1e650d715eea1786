// Wiring: the filter, the clock, the keyboard and the page.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { listenToKeys } from './controls/shortcuts';
import { prepare } from './core/engine';
import { keepAddress } from './app/address';
import { markAnswers } from './app/marks';
import { languageNow, languageWanted, setLanguage, words } from './i18n';
import { HOME, parseLink } from './model/link';
import { Page } from './app/page';
import type { Store } from './app/store';
import './styles/base.css';
import './styles/controls.css';
import './styles/bar.css';
import { later } from './browser/later';
import { followTheme } from './browser/theme';
import { App } from './view/app';
import { loadDouble } from './view/start/start-page';

/** What the browser keeps with an address that was opened anew. */
const REOPENED = 'reopened';

/** The longest time between two frames that counts: a page that was hidden does not jump ahead. */
const LONGEST_FRAME_MS = 100;

/** Lets time go by while something moves or plays in sight. */
function runClock(store: Store): void {
  let isRunning = false;
  const isUnderWay = (): boolean =>
    (store.isMoving.value || store.session.value.isPlaying) && !store.isAway.value;
  const tick = (before: number) => (now: number) => {
    store.pass(Math.min(LONGEST_FRAME_MS, now - before));
    isRunning = isUnderWay();
    if (isRunning) requestAnimationFrame(tick(now));
  };
  effect(() => {
    if (!isUnderWay() || isRunning) return;
    isRunning = true;
    requestAnimationFrame((now) => tick(now)(now));
  });
}

function followMotionPreference(store: Store): void {
  const query = matchMedia('(prefers-reduced-motion: reduce)');
  store.show({ isStill: query.matches });
  query.addEventListener('change', () => store.show({ isStill: query.matches }));
}

/**
 * Opens what the address asks for; a table that the core refuses opens the start instead. Where the address has changed
 * before all is loaded, nothing is opened, and the answer is `false`.
 */
async function follow(page: Page): Promise<boolean> {
  const { hash } = location;
  const link = parseLink(hash, location.search);
  if (link.language !== null && link.language !== languageNow()) await setLanguage(link.language);
  await page.load(link);
  if (location.hash !== hash) return false;
  try {
    page.open(link);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    page.open({ ...HOME, isReadable: false });
  }
  scrollTo({ top: 0, behavior: 'instant' });
  return true;
}

async function start(host: HTMLElement): Promise<void> {
  try {
    await Promise.all([
      prepare(),
      setLanguage(languageWanted(parseLink(location.hash, location.search).language), false),
    ]);
    followTheme();
    reopenForNewBuild();
    // The names for the double load while the first picture is being drawn.
    if (parseLink(location.hash, location.search).place === HOME.place) void loadDouble();
    const page = new Page();
    followMotionPreference(page.store);
    runClock(page.store);
    listenToKeys(page);
    markAnswers(page);
    while (!(await follow(page)));
    const address = keepAddress(page);
    addEventListener('hashchange', () => {
      address.pause();
      void follow(page).then((isOpen) => isOpen && address.resume());
    });
    // A task of its own: together with building the table, it would block a slow device for too long.
    await new Promise<void>((go) => void later(go));
    host.replaceChildren();
    render(<App page={page} />, host);
    keepOffline();
  } catch (error) {
    host.textContent = words.value.broken(String(error));
    throw error;
  }
}

/** A part that a newer build has replaced on the server: the page is opened anew, once, and shows the same link. */
function reopenForNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    if (history.state === REOPENED) return;
    event.preventDefault();
    history.replaceState(REOPENED, '');
    location.reload();
  });
}

/** Makes the page work without a network. The single file, and a page opened from a folder, do so anyway. */
function keepOffline(): void {
  if (
    import.meta.env.MODE !== 'production' ||
    !('serviceWorker' in navigator) ||
    !location.protocol.startsWith('http')
  )
    return;
  void navigator.serviceWorker.register('./sw.js').catch(() => {
    // Some private windows forbid it: the page works with a network.
  });
}

const host = document.getElementById('app');
if (host !== null) void start(host);

// Wiring: the filter, the clock, the keyboard and the page.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { listenToKeys } from './controls/shortcuts';
import { prepare } from './engine';
import { words } from './i18n';
import { DEFAULTS } from './model/settings';
import { Store } from './store';
import './styles/base.css';
import './styles/controls.css';
import './styles/transport.css';
import './styles/stage.css';
import './styles/slots.css';
import './styles/arrows.css';
import './styles/caption.css';
import './styles/panels.css';
import './styles/lists.css';
import { App } from './view/app';

/** The longest time between two frames that counts: a page that was hidden does not jump ahead. */
const LONGEST_FRAME_MS = 100;

/** Lets time go by while something moves or plays. */
function runClock(store: Store): void {
  let isRunning = false;
  const tick = (before: number) => (now: number) => {
    store.pass(Math.min(LONGEST_FRAME_MS, now - before));
    isRunning = store.isMoving.value || store.session.value.isPlaying;
    if (isRunning) requestAnimationFrame(tick(now));
  };
  effect(() => {
    if (!(store.isMoving.value || store.session.value.isPlaying) || isRunning) return;
    isRunning = true;
    requestAnimationFrame((now) => tick(now)(now));
  });
}

function followMotionPreference(store: Store): void {
  const query = matchMedia('(prefers-reduced-motion: reduce)');
  store.isStill.value = query.matches;
  query.addEventListener('change', () => (store.isStill.value = query.matches));
}

async function start(page: HTMLElement): Promise<void> {
  document.documentElement.lang = words.value.lang;
  try {
    await prepare();
    const store = new Store(DEFAULTS);
    followMotionPreference(store);
    runClock(store);
    listenToKeys(store);
    render(<App store={store} />, page);
  } catch (error) {
    page.textContent = words.value.broken(String(error));
    throw error;
  }
}

const page = document.getElementById('app');
if (page !== null) void start(page);

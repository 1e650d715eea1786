// The address bar holds what is shown, so that a reload or a shared link brings it back.
// Invariant: it changes in place, and never while a link is being followed: what the visitor asked for is not written over.
import { effect } from '@preact/signals';
import { formatLink, HOME } from './model/link';
import { isSameSettings, DEFAULTS } from './model/settings';
import { packed } from './packing';
import type { Page } from './page';

/** Browsers refuse more than about two changes a second. */
const WAIT_MS = 600;

/** Writes each change into the address, a while after it; from `pause` to `resume`, none. */
export function keepAddress(page: Page): { readonly pause: () => void; readonly resume: () => void } {
  let written = formatLink(page.here());
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async (): Promise<void> => {
    timer = undefined;
    const { hash } = location;
    const now = formatLink(page.here());
    if (isPaused || now === written) return;
    const address = isOpening(page)
      ? `#${formatLink({ ...page.here(), settings: null, cursor: 0 })}`
      : await linkTo(page);
    if (isPaused || location.hash !== hash) return;
    written = now;
    history.replaceState(history.state, '', address);
  };
  effect(() => {
    page.here();
    if (!isPaused && !page.link.value.isEmbedded) timer ??= setTimeout(() => void write(), WAIT_MS);
  });
  return {
    pause: () => (isPaused = true),
    resume: () => {
      isPaused = false;
      written = formatLink(page.here());
    },
  };
}

/** The first page as everyone finds it: its address says no more. */
function isOpening(page: Page): boolean {
  const { place, settings, operations } = page.here();
  const isFirst = settings === null || isSameSettings(settings, DEFAULTS);
  return place === HOME.place && isFirst && operations.length === 0;
}

/** The address of what is shown now. */
export async function linkTo(page: Page): Promise<string> {
  return `${location.href.replace(/[?#].*$/, '')}#${await packed(formatLink(page.here()))}`;
}

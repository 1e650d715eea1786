// The address bar holds what is shown, so that a reload or a shared link brings it back.
// Invariant: it changes in place, and never while a link is being followed: what the visitor asked for is not written over.
import { effect } from '@preact/signals';
import { isCopied } from '../browser/clipboard';
import { formatLink, HOME } from '../model/link';
import { isSameSettings } from '../model/settings';
import type { Page } from './page';

/** Browsers refuse more than about two changes a second. */
const WAIT_MS = 600;

/** The part of the address that the page shows; `null` while a link is being followed. */
let shown: string | null = location.hash;

export function writeAddress(link: string): void {
  history.replaceState(history.state, '', link);
  shown = location.hash;
}

/**
 * Copies a link. If the browser forbids that, puts it into the address bar, unless the address has changed meanwhile. Returns what
 * to tell the visitor.
 */
export async function copied(link: string, t: { copied: string; copyByHand: string }): Promise<string> {
  const { hash } = location;
  if (await isCopied(link)) return t.copied;
  if (location.hash === hash) writeAddress(link);
  return t.copyByHand;
}

/** Writes each change into the address, a while after it; from `pause` to `resume`, none. */
export function keepAddress(page: Page): { readonly pause: () => void; readonly resume: () => void } {
  let written = formatLink(page.here());
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The browser changes the address before it tells the page of it.
  const isFollowed = (): boolean => location.hash === shown;
  const write = (): void => {
    timer = undefined;
    const now = formatLink(page.here());
    if (!isFollowed() || now === written) return;
    written = now;
    writeAddress(
      isOpening(page) ? `#${formatLink({ ...page.here(), settings: null, cursor: 0 })}` : linkTo(page),
    );
  };
  const resume = (): void => {
    shown = location.hash;
    written = formatLink(page.here());
  };
  resume();
  effect(() => {
    page.here();
    if (shown !== null && !page.link.value.isEmbedded) timer ??= setTimeout(write, WAIT_MS);
  });
  return { pause: () => (shown = null), resume };
}

/** The first page as everyone finds it: its address says no more. */
function isOpening(page: Page): boolean {
  const { place, settings, operations } = page.here();
  const isFirst = settings === null || isSameSettings(settings, page.defaults());
  return place === HOME.place && isFirst && operations.length === 0;
}

export function linkTo(page: Page): string {
  return `${location.href.replace(/[?#].*$/, '')}#${formatLink(page.here())}`;
}

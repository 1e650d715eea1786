// The page inside another page: what it understands of `postMessage`, and what it tells.
// Invariant: a message that is not one of these is ignored. Nothing is told that the picture does not show.
//   to the page:   { to: 'cuckoo-filter', command: 'play' | 'pause' | 'forward' | 'back' | 'toStart' | 'toEnd' }
//                  { to: 'cuckoo-filter', command: 'seek', step: number }
//   from the page: { from: 'cuckoo-filter', step, steps, caption } whenever one of them changes
import { effect } from '@preact/signals';
import { words } from '../i18n';
import type { Input } from '../model/trace/session';
import { captionOf } from '../model/trace/story';
import type { Page } from './page';

const INPUTS: Readonly<Record<string, Input>> = {
  play: { type: 'playOrPause' },
  pause: { type: 'pause' },
  forward: { type: 'forward' },
  back: { type: 'back' },
  toStart: { type: 'toStart' },
  toEnd: { type: 'toEnd' },
};

export function listenToParent(page: Page): void {
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const input = inputOf(data);
    const isPlayingAlready = input?.type === 'playOrPause' && page.store.session.value.isPlaying;
    if (input === null || isPlayingAlready) return;
    // Whoever drives the frame has seen to the question: an answer is not waited for.
    page.release();
    page.store.send(input);
  });
  if (parent === window) return;
  effect(() => {
    const session = page.store.session.value;
    const caption = captionOf(session, words.value, page.store.isLocked.value);
    const { length } = session.timeline.steps;
    parent.postMessage({ from: 'cuckoo-filter', step: session.place.cursor, steps: length, caption }, '*');
  });
}

/** What a message asks for; null if nothing. */
export function inputOf(data: unknown): Input | null {
  if (typeof data !== 'object' || data === null) return null;
  const { to, command, step } = data as { readonly [name: string]: unknown };
  if (to !== 'cuckoo-filter' || typeof command !== 'string') return null;
  if (command === 'seek')
    return typeof step === 'number' && step >= 0 ? { type: 'stand', cursor: Math.floor(step) } : null;
  return Object.hasOwn(INPUTS, command) ? (INPUTS[command] ?? null) : null;
}

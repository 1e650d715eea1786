// Keeps what a step does in sight, where the window is lower than the table.
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { cellsOf, scrollFor, type Span } from '../../model/picture/follow';
import type { Step } from '../../model/trace/steps';
import type { Store } from '../../app/store';

/** Room for the outline of a bucket, and for the arrows beside it. */
const MARGIN = 14;

/** Scrolls with each step that is played or made, and with no jump: a reader who asks for the end stays where he reads. */
export function useFollowing(store: Store, theatre: RefObject<HTMLElement | null>): void {
  useSignalEffect(() => {
    const { motion } = store.session.value;
    const host = theatre.current;
    if (motion === null || host === null) return undefined;
    const show = (): void => follow(store, host, motion.step);
    show();
    // A window that turns or shrinks in the middle of a step keeps it in sight, once the table is drawn anew.
    const again = (): void => void requestAnimationFrame(show);
    addEventListener('resize', again);
    return () => removeEventListener('resize', again);
  });
}

/** A slot in the window, with the room around it; null: it is not there. */
function boxOf(host: ParentNode, bucket: number, slot: number): Span | null {
  const box = host.querySelector(`[data-slot="${bucket}.${slot}"]`)?.getBoundingClientRect();
  return box === undefined ? null : { top: box.top - MARGIN, bottom: box.bottom + MARGIN };
}

function scrollInto(store: Store, spans: readonly Span[], view: Span): void {
  const by = scrollFor(spans, view);
  if (by !== 0) scrollBy({ top: by, behavior: store.isStill.peek() ? 'instant' : 'smooth' });
}

function follow(store: Store, host: HTMLElement, step: Step): void {
  const spans = cellsOf(step)
    .map(({ bucket, slot }) => boxOf(host, bucket, slot))
    .filter((box) => box !== null);
  const deck = deckOf(host);
  if (spans.length > 0 && deck?.covers === false) spans.push(deck);
  const covered = deck?.covers === true ? deck.bottom - deck.top : 0;
  scrollInto(store, spans, { top: 0, bottom: innerHeight - covered });
}

/** The bar with the step's sentence, and whether it covers the table. */
function deckOf(theatre: HTMLElement): (Span & { readonly covers: boolean }) | null {
  const deck = theatre.querySelector('.deck');
  if (deck === null) return null;
  const { top, bottom } = deck.getBoundingClientRect();
  return { top, bottom, covers: getComputedStyle(deck).position === 'sticky' };
}

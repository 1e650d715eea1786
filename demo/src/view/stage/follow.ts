// Keeps what a step does in sight, where the window is lower than the table.
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { idle } from '../../browser/later';
import { cellsOf, fits, scrollFor, type Span } from '../../model/picture/follow';
import type { Facts } from '../../model/scenes/task';
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

/** Facts of a question that are buckets of its table. */
const ASKED = ['otherBucket', 'bucket', 'primary', 'alternate'];
/** Above, the question does not lie over the table. */
const PHONE = 620;

/**
 * On a phone, once the table is drawn, scrolls as much of a scene into view as fits beside its question: the title and the whole
 * table; or the title and the buckets that the question names; or the table alone; or those buckets alone.
 */
export function useAskedInSight(facts: Facts | null, store: Store): void {
  useEffect(() => {
    if (facts === null || innerWidth > PHONE) return;
    void idle().then(() => {
      const [title, card, table] = ['.intro h1', '.console-place', '.picture, .board'].map((each) =>
        document.querySelector(each)?.getBoundingClientRect(),
      );
      if (title === undefined || card === undefined || table === undefined) return;
      const named = ASKED.map((name) => boxOf(document, Number(facts[name] ?? NaN), 0)).filter(
        (box) => box !== null,
      );
      const whole = { top: 0, bottom: innerHeight };
      const below = { top: card.height, bottom: innerHeight };
      const choices = [
        { spans: [title, table], view: whole },
        { spans: [title, ...named], view: whole },
        { spans: [table], view: below },
        { spans: named, view: below },
      ] as const;
      const { spans, view } = choices.find((each) => fits(each.spans, each.view)) ?? choices[3];
      scrollInto(store, spans, view);
    });
  }, [facts, store]);
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

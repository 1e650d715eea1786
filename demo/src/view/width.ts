// The width that an element has on the page, followed as it changes.
import { computed, signal, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** In pixels, followed as they change. */
export const screenWidth: Signal<number> = signal(innerWidth);
export const screenHeight: Signal<number> = signal(innerHeight);
addEventListener('resize', () => {
  screenWidth.value = innerWidth;
  screenHeight.value = innerHeight;
});

/** Whether the screen lacks the height for the table with large chips between its bar and its steps. */
export const isLow = computed(() => screenHeight.value < 1000);

export const isPhone = computed(() => screenWidth.value <= 620);

/** Pictures are made for screens; in a narrower window, as while it is resized, they are cut off. */
const LEAST = 200;

/** The element to measure, and its width in pixels: 0 before it is known; in a signal of its own, or in `known` by `tell`. */
export function useWidth<Kind extends HTMLElement>(
  known?: ReadonlySignal<number>,
  tell?: (width: number) => void,
): { readonly host: RefObject<Kind | null>; readonly width: ReadonlySignal<number> } {
  const host = useRef<Kind>(null);
  const own = useSignal(0);
  const width = known ?? own;
  // Before the first paint, so that nothing below moves.
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const now = Math.max(LEAST, element.clientWidth);
      if (tell === undefined) own.value = now;
      else tell(now);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return { host, width };
}

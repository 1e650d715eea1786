// The width that an element has on the page, followed as it changes.
import { signal, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Whether the screen lacks the height for the table with large chips between its bar and its steps. */
export const isLow: Signal<boolean> = signal(false);

const low = matchMedia('(max-height: 999px)');
isLow.value = low.matches;
low.addEventListener('change', () => (isLow.value = low.matches));

/** In pixels, followed as they change. */
export const screenWidth: Signal<number> = signal(innerWidth);
export const screenHeight: Signal<number> = signal(innerHeight);
addEventListener('resize', () => {
  screenWidth.value = innerWidth;
  screenHeight.value = innerHeight;
});

/** Pictures are made for screens; in a narrower window, as while it is resized, they are cut off. */
const LEAST = 200;

/** The element to measure, and its width in pixels: 0 before it is known; in a signal of its own, or in `known` by `tell`. */
export function useWidth<Kind extends HTMLElement>(
  known?: ReadonlySignal<number>,
  tell?: (width: number) => void,
): {
  readonly host: { readonly current: Kind | null };
  readonly width: ReadonlySignal<number>;
} {
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

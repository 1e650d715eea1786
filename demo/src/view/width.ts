// The width that an element has on the page, followed as it changes.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The element to measure, and its width in pixels: 0 before it is known. */
export function useWidth<Kind extends HTMLElement>(
  known?: Signal<number>,
): {
  readonly host: { readonly current: Kind | null };
  readonly width: Signal<number>;
} {
  const host = useRef<Kind>(null);
  const own = useSignal(0);
  const width = known ?? own;
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => (width.value = element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return { host, width };
}

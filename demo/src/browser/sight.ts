// Whether a part of the page is in sight.
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Calls `tell` whenever the element comes into sight or leaves it. `tell` stays the one of the first call. */
export function useSight(host: RefObject<HTMLElement | null>, tell: (isIn: boolean) => void): void {
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => tell(entry?.isIntersecting !== false));
    if (host.current !== null) observer.observe(host.current);
    return () => observer.disconnect();
  }, []);
}

// Whether a part of the page is in sight, or above it.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Extends the window upwards, over all that was scrolled past. */
const PASSED = '99999px 0px 0px';

export function useSight(
  host: RefObject<HTMLElement | null>,
  tell: (isIn: boolean) => void,
  countsPassed = false,
): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => latest.current(entry?.isIntersecting !== false), {
      rootMargin: countsPassed ? PASSED : '0px',
    });
    if (host.current !== null) observer.observe(host.current);
    return () => observer.disconnect();
  }, [host, countsPassed]);
}

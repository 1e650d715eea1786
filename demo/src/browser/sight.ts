// Whether a part of the page is in sight.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function useSight(host: RefObject<HTMLElement | null>, tell: (isIn: boolean) => void): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => latest.current(entry?.isIntersecting !== false));
    if (host.current !== null) observer.observe(host.current);
    return () => observer.disconnect();
  }, [host]);
}

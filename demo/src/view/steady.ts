// What a component draws from, so that a step redraws only what it changed.
// Invariant: a component that reads signals through `useSteady` is drawn anew only when one of the values is another.
import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/**
 * The values that `read` takes from the signals of `source`; the same array as long as each of them is the same. Of
 * anything else, `read` may use what never changes for the component.
 */
export function useSteady<const Values extends readonly unknown[]>(
  source: object,
  read: () => Values,
): Values {
  const steady = useMemo(() => {
    let last: Values | null = null;
    return computed(() => {
      const [now, before] = [read(), last];
      if (before?.length === now.length && now.every((value, i) => Object.is(value, before[i])))
        return before;
      return (last = now);
    });
  }, [source]);
  return steady.value;
}

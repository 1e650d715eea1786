// Parts of the page that are loaded when they are first shown, and parts that are drawn one by one.
import { toChildArray, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { whenThere } from '../browser/part';

interface LazyProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly props: Props;
}

const loaded = new Map<unknown, ComponentType<never>>();

export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const [, redraw] = useState({});
  useEffect(() => {
    if (loaded.has(load)) return;
    void whenThere(load()).then((part) => {
      loaded.set(load, part.default as ComponentType<never>);
      redraw({});
    });
  }, [load]);
  const Part = loaded.get(load) as ComponentType<Props> | undefined;
  return Part === undefined ? <div class="is-loading" aria-busy="true" /> : <Part {...props} />;
}

/** False when a part is first drawn, and true from the next task on. */
export function useNextTask(): boolean {
  const [isNext, setNext] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setNext(true));
    return () => clearTimeout(timer);
  }, []);
  return isNext;
}

/** Draws its children one task after the other, so that a slow device answers in between. */
export function InTurn({ children }: { children: ComponentChildren }) {
  const all = toChildArray(children);
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= all.length) return setCount(Infinity);
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, all.length]);
  return (
    <>
      {all.slice(0, count)}
      {count < all.length && <div class="is-loading" aria-busy="true" />}
    </>
  );
}

// Parts of the page that are loaded when they are first shown, and parts that are drawn one by one.
import { toChildArray, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { later, whenThere } from '../browser/later';

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

/** How many of `count` parts are drawn now: one, and in each task one more. What comes once all are drawn is drawn at once. */
export function useInTurn(count: number): number {
  const [drawn, setDrawn] = useState(count > 1 ? 1 : Infinity);
  useEffect(() => {
    if (drawn === Infinity) return undefined;
    return later(() => setDrawn(drawn + 1 < count ? drawn + 1 : Infinity));
  }, [drawn, count]);
  return drawn;
}

export function InTurn({ children }: { children: ComponentChildren }) {
  const all = toChildArray(children);
  const drawn = useInTurn(all.length);
  return (
    <>
      {all.slice(0, drawn)}
      {drawn < all.length && <div class="is-loading" aria-busy="true" />}
    </>
  );
}

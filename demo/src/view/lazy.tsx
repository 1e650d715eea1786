// A part of the page that is loaded when it is first shown.
import type { ComponentType } from 'preact';
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

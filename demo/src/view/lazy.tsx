// A part of the page that is loaded when it is first shown.
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { whenThere } from '../browser/part';

interface LazyProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly props: Props;
}

const loaded = new Map<unknown, ComponentType<never>>();

export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const isThere = useSignal(loaded.has(load));
  useEffect(() => {
    if (isThere.value) return;
    void whenThere(load()).then((part) => {
      loaded.set(load, part.default as ComponentType<never>);
      isThere.value = true;
    });
  }, [isThere, load]);
  const Part = loaded.get(load) as ComponentType<Props> | undefined;
  return isThere.value && Part !== undefined ? (
    <Part {...props} />
  ) : (
    <div class="is-loading" aria-busy="true" />
  );
}

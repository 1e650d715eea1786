// embind's JavaScript side for functions and constants of numbers, which are all that bindings/ binds.
// Invariant: what goes in and comes out are numbers as WebAssembly knows them, so a boolean comes back as 0 or 1, and an
// address may be negative. A name is that of a group, a point, and a name in it.

/** Where text, tables of types, or functions lie. */
type Place = number;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  /** Runs the constructors, which bind. */
  _initialize(): void;
}

/** What an instance of `module` exports and binds, by groups; and its memory. */
export function instantiate(module: WebAssembly.Module): unknown {
  const bound = new Map<string, unknown>();
  const imports = {
    now: () => performance.now(),
    /** Makes memory reach to address `end`; 0 if that is refused. */
    grow(end: Place) {
      const missing = (end >>> 0) - memory.buffer.byteLength;
      // A fifth more, so that many filters do not grow it one by one, unless there is no more than is missing.
      for (const more of [Math.min(end >>> 0, 2 ** 29) / 5, 0]) {
        try {
          memory.grow(Math.ceil((missing + more) / 2 ** 16));
          return 1;
        } catch {
          // Then less, or none.
        }
      }
      return 0;
    },
    _embind_register_constant(name: Place, _type: Place, value: number) {
      bound.set(textAt(name), value);
    },
    _embind_register_function(
      name: Place,
      _count: number,
      _types: Place,
      _signature: Place,
      invoker: Place,
      target: Place,
    ) {
      const call = table.get(invoker) as (target: Place, ...given: unknown[]) => number;
      bound.set(textAt(name), (...given: unknown[]) => call(target, ...given));
    },
  };
  const exports = new WebAssembly.Instance(module, { env: imports }).exports as unknown as Exports;
  const { memory, __indirect_function_table: table } = exports;
  const textAt = (place: Place): string => {
    const bytes = new Uint8Array(memory.buffer, place);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  };
  exports._initialize();
  return { memory, ...grouped([...Object.entries(exports), ...bound]) };
}

/** The entries whose names have a point, by what is before it. */
function grouped(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of entries) {
    const [group = '', name] = path.split('.');
    if (name !== undefined) (groups[group] ??= {})[name] = value;
  }
  // V8 keeps fast properties for a copy of an object, and falls back to a dictionary for one filled property by property.
  return Object.fromEntries(Object.entries(groups).map(([group, names]) => [group, { ...names }]));
}

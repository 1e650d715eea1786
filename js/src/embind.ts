// embind's JavaScript side for functions and constants of numbers, which are all that bindings/embind.cpp binds: 0.8 kB
// less, compressed, than Emscripten's glue. Invariant: what goes in and comes out are numbers as WebAssembly knows them,
// so a boolean comes back as 0 or 1, and an address may be negative.

/** Where text, tables of types, or functions lie. */
type Place = number;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  /** Runs the constructors, which bind. */
  _initialize(): void;
}

/** What an instance of `module` exports, and what it binds. */
export function instantiate(module: WebAssembly.Module): unknown {
  const bound: Record<string, unknown> = {};
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
      bound[textAt(name)] = value;
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
      bound[textAt(name)] = (...given: unknown[]) => call(target, ...given);
    },
  };
  const exports = new WebAssembly.Instance(module, { env: imports }).exports as unknown as Exports;
  const { memory, __indirect_function_table: table } = exports;
  const textAt = (place: Place): string => {
    const bytes = new Uint8Array(memory.buffer, place);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  };
  exports._initialize();
  // Of an object that properties were put on by name V8 looks each up; not of one made with all of them.
  return { ...bound, ...exports };
}

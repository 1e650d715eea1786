// The JavaScript side of embind, only for functions of numbers and for numeric constants, which is all that bindings/
// binds.
// Only WebAssembly numbers go in and come out, so a boolean comes back as 0 or 1, and an address may be
// negative. A name consists of a group, a dot, and a name within the group.

/** The address of a string, a table of types or a function. */
type Place = number;

type Groups = Record<string, Record<string, unknown>>;

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  /** Runs the constructors, which do the binding. */
  readonly _initialize: () => void;
  /** The bytes of memory in use. */
  readonly used: () => number;
}

/** What joins a module, or a part of one, to JavaScript: what its instance imports, and what that offers. */
export interface Link {
  readonly imports: WebAssembly.Imports;
  /** Takes the instance made with these imports. Gives its memory, and the bound calls by groups. */
  start(instance: WebAssembly.Instance): unknown;
  /** The link of a part made by scripts/build/split.mjs, which is added to this module once that has started. */
  part(name: string): Link;
  /** Whether memory was refused since the last call of this function, and not granted later. */
  wasRefused(): boolean;
  /** The bytes of memory in use. */
  used(): number;
}

export function link(): Link {
  let exports: Exports;
  let bound: Groups = {};
  let isRefused = false;
  const wasRefused = (): boolean => {
    const was = isRefused;
    isRefused = false;
    return was;
  };
  const put = (place: Place, value: unknown): void => {
    const bytes = new Uint8Array(exports.memory.buffer, place);
    const [group = '', name = ''] = String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0))).split('.');
    (bound[group] ??= {})[name] = value;
  };
  /** The groups that `bind` puts. */
  const groupsOf = (bind: () => void): Groups => {
    bound = Object.create(null) as Groups; // without what a program put on Object.prototype
    bind();
    // V8 keeps fast properties for a copy of an object, and falls back to a dictionary for one filled property by property.
    return Object.fromEntries(Object.entries(bound).map(([group, names]) => [group, { ...names }]));
  };
  const env = {
    now: () => (globalThis.performance ?? Date).now(),
    /** Makes memory reach to address `end`; 0 if that is refused. */
    grow(end: Place) {
      const missing = (end >>> 0) - exports.memory.buffer.byteLength;
      isRefused = false;
      // Grow by a fifth more than is missing, so that many filters do not each grow memory; if that is refused, only by
      // what is missing.
      for (const more of [Math.min(end >>> 0, 2 ** 29) / 5, 0]) {
        try {
          exports.memory.grow(Math.ceil((missing + more) / 2 ** 16));
          return 1;
        } catch {
          // Then less, or none.
        }
      }
      isRefused = true;
      return 0;
    },
    _embind_register_constant: (name: Place, _type: Place, value: number) => put(name, value),
    _embind_register_function: (
      name: Place,
      _count: number,
      _types: Place,
      _signature: Place,
      _invoker: Place,
      target: Place,
    ) => put(name, exports.__indirect_function_table.get(target)),
  };
  let bindings: object;
  const whole: Link = {
    imports: { env },
    start(core) {
      exports = core.exports as Exports;
      return (bindings = { memory: exports.memory, ...groupsOf(exports._initialize) });
    },
    part: (name) => ({
      ...whole,
      imports: { core: exports },
      start: () => ({ ...bindings, ...groupsOf(exports[name] as () => void) }),
    }),
    wasRefused,
    used: () => exports.used() >>> 0,
  };
  return whole;
}

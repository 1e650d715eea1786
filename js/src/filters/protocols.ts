// What platforms look for on our objects: `using`, console.log, JSON, and comparisons of tests.
// Invariant: showing never throws, whatever has become of the filter.
import { DisposedError } from '../errors.js';

declare global {
  // For programs whose compiler or libraries do not know `using`, as before TypeScript 5.2; elsewhere this adds nothing.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/** Makes `dispose` of `target`, an object or a prototype, what `using` calls. */
export function makeDisposable(target: { dispose(): void }): void {
  // Where the engine has no Symbol.dispose, polyfills look for this name.
  Object.defineProperty(target, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
    value: target.dispose,
    configurable: true,
    writable: true,
  });
}

/** What is shown, of what the class has. */
const NAMES =
  'size capacity currentCapacity maxCapacity totalCapacity periods remembers valueBits counterBits layers loadFactor expectedFalsePositiveRate droppedShare byteLength bitsPerKey bucketCount bucketSize fingerprintBits semiSorted addressing hashAlgorithm seed maxKicks';

/** Makes console.log of Node, Deno and Bun show the class of `target`, an object or a prototype, and what `stateOf` gives. */
export function makeShown(target: object): void {
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: object, _: unknown, options: unknown, inspect: (value: unknown, options: unknown) => string) {
      return `${this.constructor.name} ${inspect(stateOf(this), options)}`;
    },
    configurable: true,
    writable: true,
  });
}

/** The properties of a filter, for JSON and people. */
export function stateOf(shown: object): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  try {
    for (const name of NAMES.split(' ')) {
      const value = (shown as Record<string, unknown>)[name];
      // JSON has no bigint.
      if (name in shown) state[name] = typeof value === 'bigint' ? String(value) : value;
    }
    return state;
  } catch (error) {
    // What is no filter but has its prototype, such as a copy that a test made, shows what it has.
    return error instanceof DisposedError ? { disposed: true } : { ...shown };
  }
}

/** The name of the property that stands for a filter's content. */
const CONTENT = Symbol.for('cuckoofilter-wasm.content');

/**
 * Gives `filter` an enumerable property by which `toEqual` and `deepEqual` compare content: text that is the same for the same
 * saved bytes. Its name is a symbol, which other code does not come across.
 */
export function showContent(filter: object): void {
  Object.defineProperty(filter, CONTENT, { get: contentOf, enumerable: true, configurable: true });
}

function contentOf(this: { serialize(): Uint8Array }): string {
  try {
    return this.serialize().slice(-8).join('.');
  } catch {
    return 'none'; // It is disposed of, or no filter.
  }
}

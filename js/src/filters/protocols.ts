// Support for `using`, console.log, JSON, and the comparisons of test libraries.
// Invariant: showing never throws, whatever happened to the filter.
import { DisposedError } from '../errors.js';
import { isOf, keeping } from '../keys/thrown.js';

declare global {
  // Lets programs whose compiler or libraries do not know `using`, such as TypeScript before 5.2, read these types.
  // Elsewhere it adds nothing.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/** Makes `dispose` of `target`, an object or a prototype, what `using` calls, unless a subclass says what that is. */
export function makeDisposable(target: { dispose(): void }): void {
  // Polyfills look for this name if the engine has no Symbol.dispose.
  const name = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  if (name in target) return;
  Object.defineProperty(target, name, {
    value: target.dispose,
    configurable: true,
    writable: true,
  });
}

/** The properties to show, if the class has them. */
const NAMES =
  'size capacity currentCapacity maxCapacity totalCapacity periods remembers valueBits counterBits layers loadFactor expectedFalsePositiveRate droppedShare byteLength bitsPerKey bucketCount bucketSize fingerprintBits semiSorted addressing hashAlgorithm seed';

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
  const fill = (): void => {
    // What a deduper lacks, its filter has.
    const { filter = shown } = shown as { readonly filter?: object };
    for (const name of NAMES.split(' ')) {
      const from = (name in shown ? shown : filter) as Record<string, unknown>;
      const value = from[name];
      // JSON has no bigint.
      if (name in from) state[name] = typeof value === 'bigint' ? String(value) : value;
    }
  };
  try {
    keeping([], fill); // A clock that throws begins no period.
    return state;
  } catch (error) {
    // An object that has the prototype but is no filter, such as a copy made by a test, shows its own properties.
    return isOf(error, DisposedError) ? { disposed: true } : { ...shown };
  }
}

/** The name of the property that represents a filter's content. */
const CONTENT = Symbol.for('cuckoofilter-wasm.content');

/**
 * Gives `filter` an enumerable property by which `toEqual` and `deepEqual` compare content: an object with a string that
 * is the same for the same saved bytes. Its name is a symbol, so that other code does not see it.
 */
export function showContent(filter: object): void {
  Object.defineProperty(filter, CONTENT, { get: contentOf, enumerable: true, configurable: true });
}

/** Only who looks into it has the filter saved: `{ ...filter }` does not. */
function contentOf(this: { serialize(): Uint8Array }): object {
  const serialize = (): Uint8Array => this.serialize();
  return {
    get checksum() {
      try {
        return keeping([], serialize).slice(-8).join('.');
      } catch {
        return 'none'; // It is disposed of, or no filter.
      }
    },
  };
}

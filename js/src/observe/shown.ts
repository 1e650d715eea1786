// How filters show themselves: in console.log, in JSON, to comparisons of tests, and to structuredClone.
// Invariant: showing never throws, whatever has become of the filter.
import { DisposedError } from '../errors.js';

/** What is shown, of what the class has. */
const NAMES =
  'size capacity maxCapacity periods remembers valueBits counterBits layers loadFactor falsePositiveRate droppedShare byteLength bitsPerKey bucketCount bucketSize fingerprintBits semiSorted addressing hashAlgorithm seed maxKicks';

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

/**
 * Gives `filter` an enumerable property by which tests compare content: a symbol, the same for the same saved bytes. Because
 * symbols cannot be cloned, structuredClone and postMessage throw an error with its text, where they would make an empty
 * object. `get` replaces it for what cannot be saved.
 */
export function showContent(filter: object, get: (this: never) => symbol = contentOf): void {
  Object.defineProperty(filter, 'content', {
    get: get as () => symbol,
    enumerable: true,
    configurable: true,
  });
}

function contentOf(this: { serialize(): Uint8Array }): symbol {
  let checksum = 'none';
  try {
    checksum = this.serialize().slice(-8).join('.');
  } catch {
    // It is disposed of, or no filter.
  }
  return Symbol.for(`checksum ${checksum}; to send a filter, send serialize()`);
}

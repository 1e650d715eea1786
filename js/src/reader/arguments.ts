// Checks the arguments: bytes, and options with a secret key. The rules and the classes of errors are those of
// options/read.ts and options/planning.ts, in a quarter of the code: it does not guess misspelled names, and the
// caller's own getters may run.
import { argumentError, lostBuffer } from '../basic-errors.js';
import type { LoadOptions } from '../options/options.js';
import { textAdvice, isPlain } from '../options/plain.js';

/** The bytes, the most bytes that the tables may have, and the secret key if one is given. */
export type Given = readonly [bytes: Uint8Array, maxBytes: number, secret: Uint8Array | undefined];

/** Throws TypeError if `value` of `name` does not have the type of `rule`, RangeError if it is out of range. */
export function check(name: string, rule: string, value: unknown, isType: boolean, isInRange = true): void {
  if (!isType || !isInRange)
    throw argumentError(`${name} must be ${rule}, got ${shown(value)}`, isType ? RangeError : TypeError);
}

/** A view of the bytes of `value`; undefined if it has none. Throws TypeError if its buffer is gone. */
export function viewOf(value: unknown): Uint8Array | undefined {
  try {
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      // A typed array whose buffer is gone looks empty, but its methods throw.
      if (!byteLength && kindOf(value) !== '[object DataView]')
        Uint8Array.prototype.keys.call(value as Uint8Array);
      return new Uint8Array(buffer, byteOffset, byteLength);
    }
    return /ArrayBuffer]$/.test(kindOf(value)) ? new Uint8Array(value as ArrayBuffer) : undefined;
  } catch {
    throw lostBuffer('the array');
  }
}

export function checked(bytes: unknown, options: unknown = {}): Given {
  const { maxBytes = Infinity, hash = 'xxh64' } = plain<LoadOptions>('options', options, [
    'maxBytes',
    'hash',
  ]);
  check('maxBytes', 'a number, 0 or more', maxBytes, typeof maxBytes === 'number', maxBytes >= 0);
  const view = viewOf(bytes);
  const advice = /Promise/.test(kindOf(bytes))
    ? ' (await the promise)'
    : (textAdvice(bytes) ?? ', such as await response.arrayBuffer()');
  check('bytes', `a Uint8Array or ArrayBuffer${advice}`, bytes, !!view);
  return [view as Uint8Array, maxBytes, secretOf(hash)];
}

/** A copy of the secret key in `hash`; undefined if the algorithm takes none. Messages tell nothing of what was given. */
function secretOf(hash: unknown): Uint8Array | undefined {
  const name = 'hash';
  const rule = "'xxh64', or 'siphash-1-3' with 16 bytes as key";
  const given = typeof hash === 'object' ? hash : { algorithm: hash };
  const { algorithm, key } = plain<Hash>(name, given, ['algorithm', 'key']);
  const isKeyed = algorithm === 'siphash-1-3';
  check(name, rule, typeof algorithm, typeof algorithm === 'string', isKeyed || algorithm === 'xxh64');
  const secret = viewOf(key);
  const length = secret ? secret.length : typeof key;
  check(name, rule, length, isKeyed ? !!secret : key === undefined, !isKeyed || length === 16);
  return secret?.slice();
}

interface Hash {
  readonly algorithm?: unknown;
  readonly key?: unknown;
}

/** The own properties of `given`, if it is a plain object with no other names than `names`. */
export function plain<Options>(what: string, given: unknown, names: readonly string[]): Options {
  const rule = `a plain object with only ${names.join(' and ')}`;
  check(what, rule, typeof given === 'string' ? kindOf(given) : given, isPlain(given)); // It may be a secret.
  const own = { __proto__: null, ...(given as Record<string, unknown>) };
  for (const name of Object.keys(own))
    check(what, rule, name, names.includes(name) || own[name as never] === undefined);
  return own as Options;
}

/** `value` for a message, without what is in it: it may be a secret key. */
function shown(value: unknown): string {
  return String(Object(value) === value ? kindOf(value) : value).slice(0, 40);
}

function kindOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return 'an object'; // a Proxy that throws whatever is asked of it
  }
}

// One WebAssembly module at work: its calls, and the views of its memory.
// Invariant: it is started once, synchronously at first use or before that by `preload`. A view is fetched again after
// memory has grown, and never leaves this package: users get copies.
import { check } from '../errors.js';
import type { Kind } from '../class-names.js';
import type { Bindings, BindingsOf, FilterCalls, Layout } from './bindings.js';
import { isBytes, type Bytes } from './bytes.js';
import { link, type Linkage, type Program } from './embind.js';

/** The memory that both sides write and read: see `ScratchBuffer` in bindings/scratch.h. */
export interface Scratch {
  /** Integer keys or hashes as pairs of 32 bits, low half first. */
  readonly words: Uint32Array;
  /** The same memory, as the results of a call that gives several. */
  readonly numbers: Float64Array;
  /** Where each key of a batch ends in `bytes`. */
  readonly ends: Uint32Array;
  /** One answer per key. */
  readonly answers: Uint8Array;
  /** One key, the keys of a batch, or a piece of a saved filter. */
  readonly bytes: Bytes;
  /** The same memory, four bytes at a time. */
  readonly fours: Uint32Array;
}

/**
 * A `WebAssembly.Module`, or its bytes (an ArrayBuffer or a view of one), or a Response with them. As a type any object,
 * because a program that reads these types may know neither WebAssembly nor Response.
 */
export type ModuleSource = object;

/**
 * An instance of a module whose filters are called `kind`; or of the part `part` of `core`, which is added to it at first
 * use: both have one memory. `inlined` is its text of scripts/build.mjs, or a module that the host has compiled.
 */
export class Instance<Offered extends Bindings = BindingsOf<FilterCalls>> {
  readonly kind: Kind;
  readonly #inlined: string | object;
  readonly #core: Instance<Bindings> | undefined;
  readonly #part: string;
  #module: WebAssembly.Module | undefined;
  #started: Program | undefined;
  #bindings: Offered | undefined;
  #scratch: Scratch | undefined;

  constructor(inlined: string | object, kind: Kind, core?: Instance<Bindings>, part = '') {
    this.#inlined = inlined;
    this.kind = kind;
    if (typeof inlined !== 'string') this.#module = inlined;
    this.#core = core;
    this.#part = part;
  }

  /** Uses `source` in place of what is inlined, unless the instance is at work already. */
  init(source: ModuleSource): void | Promise<void> {
    // Also one of another realm, of which `instanceof` knows nothing.
    if (Object.prototype.toString.call(source) === '[object WebAssembly.Module]')
      this.#module ??= source as WebAssembly.Module;
    else return this.#compileFrom(source as BufferSource | Response);
  }

  async #compileFrom(source: BufferSource | Response): Promise<void> {
    const isResponse = 'arrayBuffer' in Object(source);
    const rule = 'a WebAssembly.Module, its bytes, or a Response with them';
    check('module', rule, source, isResponse || isBytes(source));
    const bytes = isResponse ? await (source as Response).arrayBuffer() : (source as BufferSource);
    this.#module ??= await WebAssembly.compile(bytes);
    await this.preload();
  }

  /** Compiles and instantiates asynchronously, as some places demand; afterwards everything is synchronous. */
  async preload(): Promise<void> {
    await this.#core?.preload();
    if (this.#started !== undefined) return;
    try {
      this.#module ??= await WebAssembly.compile(this.#bytes());
    } catch (error) {
      throw policyError(error) ?? error;
    }
    const { imports, start } = this.#linkage();
    const instance = await WebAssembly.instantiate(this.#module, imports);
    this.#started ??= start(instance);
  }

  /** What the module offers; compiled at the first call. */
  get bindings(): Offered {
    return (this.#bindings ??= this.#program().bindings as Offered);
  }

  /**
   * Whether the last call that found no room had to do without memory, for a table that takes `byteLength` bytes and is to be
   * doubled. Where addresses end, the core does not even ask for more.
   */
  wasRefused(byteLength: number): boolean {
    const isPastEnd = this.bindings.memory.buffer.byteLength + 2 * byteLength > 2 ** 32;
    return this.#program().wasRefused() || isPastEnd;
  }

  #program(): Program {
    if (this.#started === undefined) {
      const { imports, start } = this.#linkage();
      this.#started = start(this.#instance(imports));
    }
    return this.#started;
  }

  #linkage(): Linkage {
    return this.#core === undefined ? link() : this.#core.#program().part(this.#part);
  }

  #instance(imports: WebAssembly.Imports): WebAssembly.Instance {
    try {
      this.#module ??= new WebAssembly.Module(this.#bytes());
      return new WebAssembly.Instance(this.#module, imports);
    } catch (cause) {
      const refused = policyError(cause);
      if (refused !== undefined) throw refused;
      throw new Error(
        `WebAssembly cannot be started here (${(cause as Error).message}). Call \`await preload()\` first, or ` +
          '`init(module)`; without WebAssembly, use FilterReader of cuckoofilter-wasm/reader',
        { cause },
      );
    }
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    return decode(this.#inlined as string);
  }

  /** The views of the scratch buffer, made anew if memory has grown since, which empties the old ones. */
  get scratch(): Scratch {
    const views = this.#scratch;
    return views !== undefined && views.bytes.length !== 0 ? views : (this.#scratch = viewsOf(this.bindings));
  }

  /** A view of `length` bytes of memory, good until the next call that may grow it. */
  memoryAt(address: number, length: number): Bytes {
    return new Uint8Array(this.bindings.memory.buffer, address >>> 0, length);
  }

  /** The results that the last call put, by their names. */
  results<Name extends string>(layout: Layout<Name>): Record<Name, number> {
    const { numbers } = this.scratch;
    return Object.fromEntries(
      Object.entries<number>(layout).map(([name, at]) => [name, numbers[at]]),
    ) as Record<Name, number>;
  }
}

/** The error for `cause` if a content security policy is behind it, which engines tell in their messages alone. */
function policyError(cause: unknown): Error | undefined {
  if (!/unsafe-eval|CSP|Content Security/i.test(String(cause))) return undefined;
  return new Error(
    "the page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or use FilterReader " +
      'of cuckoofilter-wasm/reader, which needs no WebAssembly',
    { cause },
  );
}

function viewsOf({ memory: { buffer }, scratch }: Bindings): Scratch {
  return {
    words: new Uint32Array(buffer, scratch.words, 2 * scratch.batchLength),
    numbers: new Float64Array(buffer, scratch.words, scratch.batchLength),
    ends: new Uint32Array(buffer, scratch.ends, scratch.batchLength),
    answers: new Uint8Array(buffer, scratch.answers, scratch.batchLength),
    bytes: new Uint8Array(buffer, scratch.bytes, scratch.bytesLength),
    fours: new Uint32Array(buffer, scratch.bytes, scratch.bytesLength / 4),
  };
}

/** The bytes in a text of scripts/build.mjs: a mark for each value that is written as one character, then all of them. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const frequent: number[] = [];
  const others: number[] = [];
  for (let value = 0; value < 256; ++value) {
    const marks = parseInt(text.charAt(value >> 2), 16);
    ((marks >> (value & 3)) & 1 ? frequent : others).push(value);
  }
  const order = Uint8Array.from([...frequent, ...others]);
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let first = 0;
  for (let i = 64; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    if (code < 35) {
      first = 91 * (code - 31);
    } else {
      bytes[length++] = order[first + code - (code > 92 ? 36 : 35)] as number;
      first = 0;
    }
  }
  return bytes.slice(0, length);
}

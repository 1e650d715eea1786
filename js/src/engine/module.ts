// A WebAssembly module: the one that a program gave, or else the one that the package carries.
// Invariant: it is compiled once, at first use or before that; afterwards no other takes its place.
import { check } from '../errors.js';
import { isBytes } from './bytes.js';

/**
 * A `WebAssembly.Module`, or its bytes (an ArrayBuffer or a view of one), or a Response with them. As a type any object,
 * because a program that reads these types may know neither WebAssembly nor Response.
 */
export type ModuleSource = object;

const OTHERWISE = 'without WebAssembly, use FilterReader of cuckoofilter-wasm/reader';

export class Module {
  /** The text that scripts/build.mjs makes of a module, or a module that the host has compiled. */
  readonly inlined: string | object;
  #compiled: WebAssembly.Module | undefined;

  constructor(inlined: string | object) {
    this.inlined = inlined;
    if (typeof inlined !== 'string') this.#compiled = inlined;
  }

  /** Takes `source` in place of what is inlined, unless a module is compiled already: a module at once, others later. */
  use(source: ModuleSource): void | Promise<void> {
    // Also one of another realm, of which `instanceof` knows nothing.
    if (Object.prototype.toString.call(source) === '[object WebAssembly.Module]')
      this.#compiled ??= source as WebAssembly.Module;
    else return this.#compileFrom(source as BufferSource | Response);
  }

  async #compileFrom(source: BufferSource | Response): Promise<void> {
    const isResponse = 'arrayBuffer' in Object(source);
    const rule = 'a WebAssembly.Module, its bytes, or a Response with them';
    check('module', rule, source, isResponse || isBytes(source));
    const bytes = isResponse ? await (source as Response).arrayBuffer() : (source as BufferSource);
    this.#compiled ??= await WebAssembly.compile(bytes);
  }

  /** The module, compiled asynchronously, as some places demand. */
  async compile(): Promise<WebAssembly.Module> {
    try {
      return (this.#compiled ??= await WebAssembly.compile(decode(this.inlined as string)));
    } catch (error) {
      throw policyError(error);
    }
  }

  /** An instance of the module, which is compiled at the first call. */
  instantiate(imports: WebAssembly.Imports): WebAssembly.Instance {
    try {
      this.#compiled ??= new WebAssembly.Module(decode(this.inlined as string));
      return new WebAssembly.Instance(this.#compiled, imports);
    } catch (cause) {
      const error = policyError(cause);
      if (error !== cause) throw error;
      throw new Error(
        `WebAssembly cannot be started here (${(cause as Error).message}). Call \`await preload()\` first, or \`init(module)\`; ${OTHERWISE}`,
        { cause },
      );
    }
  }
}

/** `cause`, or an error that says so if a content security policy is behind it, which engines tell in their messages alone. */
function policyError(cause: unknown): unknown {
  if (!/unsafe-eval|CSP|Content Security/i.test(String(cause))) return cause;
  return new Error(
    `the page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src; ${OTHERWISE}`,
    { cause },
  );
}

/** The bytes in a text of scripts/build.mjs: a mark for each value that is written as one character, then all of them. */
function decode(text: string): Uint8Array<ArrayBuffer> {
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

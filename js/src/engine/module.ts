// A WebAssembly module: the one that the program gave, or else the one in the package.
// Invariant: it is compiled once, at first use or earlier, and a module that the program gives is the same build.
import { check, ruleError, shown } from '../errors.js';
import { viewOf } from './bytes.js';

declare global {
  // Lets programs that know no WebAssembly read these types. Elsewhere it adds what every module has, without which any
  // object would pass for one.
  // eslint-disable-next-line -- the library's own declaration is a namespace, too
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: 'WebAssembly.Module';
    }
  }
}

/** A `WebAssembly.Module`, its bytes (an ArrayBuffer or a view of one), or a Response with them. */
export type ModuleSource =
  WebAssembly.Module | ArrayBufferView | ArrayBufferLike | { arrayBuffer(): Promise<ArrayBuffer> };

/** Takes a `WebAssembly.Module` at once, anything else by a promise. */
export interface Init {
  (module: WebAssembly.Module): void;
  (module: Exclude<ModuleSource, WebAssembly.Module>): Promise<void>;
  (module: ModuleSource): void | Promise<void>;
}

const RULE = "this version's .wasm file for this import path: a WebAssembly.Module, bytes or a Response";

export class Module {
  /** The module as text, written by scripts/build.mjs; or whatever importing its file gave: normally a compiled module. */
  readonly inlined: string | object;
  #compiled: WebAssembly.Module | undefined;

  constructor(inlined: string | object) {
    this.inlined = inlined;
    if (isModule(inlined)) this.#compiled = inlined;
  }

  /**
   * Takes `source`, unless a module is already compiled: a compiled module at once, anything else asynchronously.
   * Throws TypeError for another build.
   */
  take(source: ModuleSource): void | Promise<void> {
    if (isModule(source)) this.#keep(source);
    else return this.#compileFrom(source);
  }

  async #compileFrom(source: ModuleSource): Promise<void> {
    const isResponse = 'arrayBuffer' in Object(source);
    // A copy, because Firefox compiles nothing from memory that threads share.
    const bytes = isResponse ? await (source as Response).arrayBuffer() : viewOf(source, 'module')?.slice();
    check('module', RULE, source, bytes !== undefined);
    if (isModule(this.inlined)) return; // The host compiled its own, and may not allow compiling bytes.
    const module = await WebAssembly.compile(bytes as BufferSource).catch((cause: Error) => {
      throw isOfPolicy(cause) || isOfHost(cause)
        ? startError(cause)
        : Object.assign(ruleError('module', RULE, source), { cause });
    });
    this.#keep(module);
  }

  #keep(module: WebAssembly.Module): void {
    const { build } = this;
    const isOurs = build === '' || WebAssembly.Module.customSections(module, build).length > 0;
    check('module', RULE, module, isOurs);
    this.#compiled ??= module;
  }

  /**
   * Identifies the build of the module: the name of the section that scripts/build.mjs appends. Empty if it is
   * not given as text.
   */
  get build(): string {
    return isText(this.inlined) ? String.fromCharCode(...decode(this.inlined).slice(-8)) : '';
  }

  /** The module, compiled asynchronously, as some hosts require. */
  async compile(): Promise<WebAssembly.Module> {
    try {
      return (this.#compiled ??= await WebAssembly.compile(this.#bytes()));
    } catch (cause) {
      throw startError(cause);
    }
  }

  /** The bytes of the module, where it is not compiled yet: also if a bundler gives the bytes of the file for it. */
  #bytes(): BufferSource {
    const bytes = isText(this.inlined) ? decode(this.inlined) : viewOf(this.inlined)?.slice();
    if (bytes !== undefined) return bytes;
    throw new Error(`the bundler gives ${shown(this.inlined)} for a .wasm file`);
  }

  /** An instance of the module, which is compiled at the first call. */
  instantiate(imports: WebAssembly.Imports): WebAssembly.Instance {
    try {
      this.#compiled ??= new WebAssembly.Module(this.#bytes());
      return new WebAssembly.Instance(this.#compiled, imports);
    } catch (cause) {
      throw startError(
        cause,
        isOfMemory(cause) ? MEMORY_ADVICE : '. Call `await preload()` first, or `init(module)`',
      );
    }
  }
}

/** Also of another realm, which `instanceof` does not recognize. */
function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}

/** Whether `inlined` is a module as text, and not the address of a file. */
function isText(inlined: string | object): inlined is string {
  return typeof inlined === 'string' && inlined.length > 2000;
}

/** Engines reserve address space for each memory, often 8 GiB or more. This is how to let them. */
export const MEMORY_ADVICE = '. Raise `ulimit -v`, or start node with --disable-wasm-trap-handler';

/** Whether there was not enough memory. Only the engine's message says so, which may name a folder, too. */
function isOfMemory(cause: unknown): boolean {
  return /(out of|allocate) (wasm )?memory/i.test(String(cause));
}

/** The error for a module that cannot be compiled or instantiated, with the code `no-webassembly`. */
function startError(cause: unknown, advice = ''): Error {
  const problem = isOfPolicy(cause)
    ? "the content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src"
    : isOfHost(cause)
      ? 'this host compiles no WebAssembly: bundle with --conditions=workerd, or import the .wasm file for init(module)'
      : `WebAssembly does not start (${(cause as Error).message})${advice}`;
  const otherwise = 'Without it, use FilterReader from cuckoofilter-wasm/reader';
  return Object.assign(new Error(`${problem}. ${otherwise}`, { cause }), { code: 'no-webassembly' });
}

/** Whether a content security policy caused the error. Only the engine's message says so. */
function isOfPolicy(cause: unknown): boolean {
  return /unsafe-eval|CSP|Content Security/i.test(String(cause));
}

/** Whether the host forbids compiling, as Cloudflare's does. Only the engine's message says so. */
function isOfHost(cause: unknown): boolean {
  return /disallowed by embedder/i.test(String(cause));
}

/**
 * Decodes a module from the text made by scripts/build.mjs: a mark for each byte value that is written as one
 * character, then all bytes.
 */
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
      first = 88 * (code - 31);
    } else {
      bytes[length++] = order[first + code - 37 - Number(code > 60) - Number(code > 92)] as number;
      first = 0;
    }
  }
  return bytes.slice(0, length);
}

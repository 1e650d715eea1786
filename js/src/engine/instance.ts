// One running WebAssembly module or part: its calls, and views of its memory.
// Invariant: it is started once, either synchronously at first use or earlier by `preload`. Views are renewed after
// memory has grown, and never leave this package: users get copies.
import type { Kind } from '../class-names.js';
import type { Bindings, BindingsOf, FilterCalls } from './bindings.js';
import type { Bytes } from './bytes.js';
import { link, type Link } from './embind.js';
import { Module, type ModuleSource } from './module.js';
import { scratchOf, type Scratch } from './scratch.js';
import { Weights } from './weights.js';

/**
 * An instance of a module for filters of class `kind`, or of the part `part`, which is added to `core` at first use and
 * shares its memory. `inlined` is as for Module.
 */
export class Instance<Offered extends Bindings = BindingsOf<FilterCalls>> {
  readonly kind: Kind;
  /** The error for an outcome that only this module has. The call had added `added` keys before. */
  declare readonly refusal?: (outcome: number | undefined, added: number) => Error | undefined;
  /** Only of memory that threads share: called before each call and each write into it, as a thread may have lost it. */
  declare readonly checkPlace?: () => void;
  readonly #module: Module;
  readonly #core: Instance<Bindings> | undefined;
  readonly #part: string;
  readonly #weights: Weights | undefined;
  #link: Link | undefined;
  #bindings: Offered | undefined;
  #scratch: Scratch | undefined;

  constructor(inlined: string | object, kind: Kind, core?: Instance<Bindings>, part = '') {
    this.#module = new Module(inlined);
    this.kind = kind;
    this.#core = core;
    this.#part = part;
    // Hosts that compile the module themselves allow little memory, and might count a weight as memory.
    const isTold = typeof inlined === 'string' && typeof FinalizationRegistry !== 'undefined';
    this.#weights = core === undefined ? (isTold ? new Weights() : undefined) : core.#weights;
  }

  /**
   * Uses `source` instead of the inlined module, unless the instance is already running. Throws TypeError for another
   * build.
   */
  init(source: ModuleSource): void | Promise<void> {
    return this.#module.take(source)?.then(() => this.preload());
  }

  /** Compiles and instantiates asynchronously, as some hosts require; afterwards everything is synchronous. */
  async preload(): Promise<void> {
    await this.#core?.preload();
    if (this.#bindings !== undefined) return;
    const module = await this.#module.compile();
    const made = this.#newLink();
    const instance = await WebAssembly.instantiate(module, made.imports);
    if (this.#bindings === undefined) this.#start(made, instance);
  }

  /** What the module offers; compiled at the first call. */
  get bindings(): Offered {
    return this.#bindings ?? this.#startNow();
  }

  /**
   * Whether memory was the reason that the last call found no room, for a table of `byteLength` bytes that should have
   * doubled. Near the end of the address space, the core does not even ask for memory.
   */
  wasRefused(byteLength: number): boolean {
    const isPastEnd = this.bindings.memory.buffer.byteLength + 2 * byteLength > 2 ** 32;
    return this.#link?.wasRefused() === true || isPastEnd;
  }

  /** Tells the garbage collector what is in use. To be called after each object that was made. */
  weigh(): void {
    this.#weights?.update((this.#link as Link).used());
  }

  #startNow(): Offered {
    const made = this.#newLink();
    return this.#start(made, this.#module.instantiate(made.imports));
  }
  #newLink(): Link {
    if (this.#core === undefined) return link();
    void this.#core.bindings; // starts it
    return (this.#core.#link as Link).part(this.#part);
  }
  #start(made: Link, instance: WebAssembly.Instance): Offered {
    this.#link = made;
    return (this.#bindings = made.start(instance) as Offered);
  }

  /** The scratch buffer, with new views if memory has grown, because growth empties the old ones. */
  get scratch(): Scratch {
    this.checkPlace?.();
    const known = this.#scratch;
    return known !== undefined && known.bytes.length !== 0
      ? known
      : (this.#scratch = scratchOf(this.bindings));
  }

  /** A view of `length` bytes of memory, valid until the next call that may grow memory. */
  memoryAt(address: number, length: number): Bytes {
    return new Uint8Array(this.bindings.memory.buffer, address >>> 0, length);
  }
}

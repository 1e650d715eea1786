// The WebAssembly module of SharedCuckooFilter. Each filter has a memory of its own, which threads share, and each thread
// an instance of the module in it. Memory holds, one behind the other: the module's constants; a head, which says how
// many threads have room; a place per thread, with its stack and its variables; and the filter.
// Invariant: a place belongs to one thread, from when it is taken until it is given back; who takes it is decided by one
// atomic operation.
import inlined from '#shared';
import { sharedMemoryError } from './shared-errors.js';
import { check, OutOfMemoryError } from '../errors.js';
import type { BindingsOf, FilterCalls, SharedCalls } from './bindings.js';
import { isBytes } from './bytes.js';
import { link } from './embind.js';
import { decode, Instance, type ModuleSource } from './instance.js';

/** What the module offers. */
export interface SharedBindings extends BindingsOf<FilterCalls> {
  readonly shared: SharedCalls;
  /** Puts the sizes of the last plan, of a filter that is not shared. */
  readonly plainPlan: SharedBindings['plan'];
}

interface Exports extends WebAssembly.Exports {
  readonly __stack_pointer: WebAssembly.Global;
  readonly __heap_base: WebAssembly.Global;
  readonly __tls_size: WebAssembly.Global;
  readonly __wasm_init_tls: (variables: number) => void;
}

const PAGE = 65536;
const STACK_BYTES = 65536;
const LINE = 64;

let module: WebAssembly.Module | undefined;

/**
 * Compiles WebAssembly asynchronously. Optional in most places: otherwise the first SharedCuckooFilter does it, which takes a
 * few milliseconds. Chrome before 115 needs it on a page's main thread.
 */
export async function preload(): Promise<void> {
  module ??= typeof inlined === 'string' ? await WebAssembly.compile(decode(inlined)) : inlined;
}

/**
 * Uses the module that you have: `cuckoofilter-wasm/shared.wasm`, compiled, as bytes, or as a Response. Call it before
 * the first SharedCuckooFilter is made; after that, it has no effect. Optional: the package carries the same module.
 * With anything but a `WebAssembly.Module` it returns a promise, which rejects with what `WebAssembly.compile` throws.
 */
export function init(source: ModuleSource): void | Promise<void> {
  if (Object.prototype.toString.call(source) === '[object WebAssembly.Module]')
    module ??= source as WebAssembly.Module;
  else return compileFrom(source as BufferSource | Response);
}

async function compileFrom(source: BufferSource | Response): Promise<void> {
  const isResponse = 'arrayBuffer' in Object(source);
  const rule = 'a WebAssembly.Module, its bytes, or a Response with them';
  check('module', rule, source, isResponse || isBytes(source));
  module ??= await WebAssembly.compile(
    isResponse ? await (source as Response).arrayBuffer() : (source as BufferSource),
  );
}

function compiled(): WebAssembly.Module {
  return (module ??= typeof inlined === 'string' ? new WebAssembly.Module(decode(inlined)) : inlined);
}

/** Tells one build of the module from others: instances of two in one memory would destroy it. */
export const BUILD: number = typeof inlined === 'string' ? hashOf(inlined) : 0;

function hashOf(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A memory that has room for a filter of `filterBytes`, and for so many threads. Throws OutOfMemoryError, and an error with a code where threads cannot share memory. */
export function newMemory(filterBytes: number, maxThreads: number): WebAssembly.Memory {
  checkShareable();
  const { __heap_base: end, __tls_size: variables } = sizesOfModule();
  const pages = Math.ceil(layoutOf(end, variables, maxThreads).filter / PAGE + filterBytes / PAGE);
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (cause) {
    throw new OutOfMemoryError(`not enough memory for a shared filter of ${pages * PAGE} bytes`, { cause });
  }
  headOf(memory, end)[0] = maxThreads;
  return memory;
}

function checkShareable(): void {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === 'undefined' || crossOriginIsolated === false)
    throw sharedMemoryError('no-shared-memory');
}

/** What the module says of itself, read once from an instance in a memory that is thrown away. */
let sizes: Record<'__heap_base' | '__tls_size', number> | undefined;
function sizesOfModule(): Record<'__heap_base' | '__tls_size', number> {
  if (sizes === undefined) {
    const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true });
    const exports = instantiate(memory).exports as Exports;
    sizes = {
      __heap_base: exports.__heap_base.value as number,
      __tls_size: exports.__tls_size.value as number,
    };
  }
  return sizes;
}

function instantiate(memory: WebAssembly.Memory): WebAssembly.Instance {
  const { env } = link().imports;
  return new WebAssembly.Instance(compiled(), { env: { ...env, memory } });
}

/** Where the places of threads begin, how far they lie apart, and where the filter lies. */
function layoutOf(
  end: number,
  variables: number,
  maxThreads: number,
): Record<'places' | 'step' | 'filter', number> {
  const places = lined(lined(end) + 4 * (1 + maxThreads));
  const step = lined(STACK_BYTES + variables);
  return { places, step, filter: places + maxThreads * step };
}

function lined(address: number): number {
  return Math.ceil(address / LINE) * LINE;
}

/** The number of places, then for each whether it is taken. */
function headOf(memory: WebAssembly.Memory, end: number): Int32Array {
  return new Int32Array(memory.buffer, lined(end), 1);
}

/** One thread's instance in a memory. */
export class SharedInstance extends Instance<SharedBindings> {
  readonly #bindings: SharedBindings;

  constructor(bindings: SharedBindings) {
    super('', 'SharedCuckooFilter');
    this.#bindings = bindings;
  }
  override get bindings(): SharedBindings {
    return this.#bindings;
  }
  /** Memory never grows, so it is never refused later. */
  override wasRefused(): boolean {
    return false;
  }
}

/** A thread's way into a memory. */
export interface Joined {
  readonly instance: SharedInstance;
  readonly memory: WebAssembly.Memory;
  /** The number of its place. */
  readonly thread: number;
  /** Where the filter lies. */
  readonly filter: number;
  /** For each place whether it is taken. */
  readonly places: Int32Array;
}

/** Takes a place in `memory` and starts an instance there. Throws if all places are taken. */
export function join(memory: WebAssembly.Memory): Joined {
  checkShareable();
  const linkage = link();
  const instance = new WebAssembly.Instance(compiled(), {
    env: { ...linkage.imports['env'], memory },
  });
  const exports = instance.exports as Exports;
  const end = exports.__heap_base.value as number;
  const maxThreads = headOf(memory, end)[0] as number;
  const places = new Int32Array(memory.buffer, lined(end) + 4, maxThreads);
  const thread = places.findIndex((_, i) => Atomics.compareExchange(places, i, 0, 1) === 0);
  if (thread < 0) throw sharedMemoryError('too-many-threads', maxThreads);
  const layout = layoutOf(end, exports.__tls_size.value as number, maxThreads);
  const own = layout.places + thread * layout.step;
  exports.__stack_pointer.value = own + STACK_BYTES;
  exports.__wasm_init_tls(own + STACK_BYTES);
  const program = linkage.start({ exports: { ...exports, memory } });
  const bindings = program.bindings as SharedBindings;
  const { shared } = bindings;
  shared.open(thread, mayWait(places, thread));
  const joined = new SharedInstance({
    ...bindings,
    plan: { describe: shared.describePlan },
    plainPlan: bindings.plan,
  });
  return { instance: joined, memory, thread, filter: layout.filter, places };
}

/** Whether this thread may wait, which the main thread of a page may not. Its place is taken, so this does not wait. */
function mayWait(places: Int32Array, thread: number): boolean {
  try {
    Atomics.wait(places, thread, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** Plans of shared filters, and of plain ones beside them, in a memory that holds no filter. */
let planners: { readonly shared: SharedInstance; readonly plain: SharedInstance } | undefined;
export function plannersOf(): { readonly shared: SharedInstance; readonly plain: SharedInstance } {
  if (planners === undefined) {
    const { instance } = join(newMemory(0, 1));
    const { filter, plainPlan, shared } = instance.bindings;
    const plain = { ...instance.bindings, filter: { ...filter, plan: shared.planPlain }, plan: plainPlan };
    planners = { shared: instance, plain: new SharedInstance(plain) };
  }
  return planners;
}

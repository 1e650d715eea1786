// The WebAssembly module of SharedCuckooFilter. Each filter has its own memory, which threads share, and each thread
// has an instance of the module in it. Memory holds, in this order: the module's constants; a head, which says how many
// threads have room; a place for each thread, with its stack and its variables; and the filter.
// Invariant: a place belongs to one thread from when it is taken until it is given back; one atomic operation decides
// who takes it.
import inlined from '#shared';
import { OutOfMemoryError } from '../errors.js';
import type { BindingsOf, FilterCalls, SharedCalls } from './bindings.js';
import { link, type Linkage } from './embind.js';
import { Instance } from './instance.js';
import { Module, type ModuleSource } from './module.js';
import { FilterBusyError, sharedMemoryError } from './shared-errors.js';

/** What the module offers. */
export interface SharedBindings extends BindingsOf<FilterCalls> {
  readonly shared: SharedCalls;
  /** Puts the sizes of the last plan for a filter that is not shared. */
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

const module = new Module(inlined);

/**
 * Compiles WebAssembly asynchronously; otherwise the first SharedCuckooFilter does. Needed on a page's main thread in
 * Chrome before 115.
 */
export async function preload(): Promise<void> {
  await module.compile();
}

/**
 * Uses your own copy of the module `cuckoofilter-wasm/shared.wasm`, given as a `WebAssembly.Module`, as bytes or as a
 * Response. Call it before the first SharedCuckooFilter. A `WebAssembly.Module` is used at once; for anything else,
 * await the promise. Throws TypeError, or rejects with it, if this is not that file of this version of the package.
 */
export function init(source: ModuleSource): void | Promise<void> {
  return module.use(source);
}

/** Identifies the build of the module: instances of two builds in one memory would destroy it. */
export function buildOfModule(): number {
  return parseInt(`0${module.build}`, 16);
}

/**
 * A memory with room for a filter of `filterBytes` bytes, and for `maxThreads` threads. Throws OutOfMemoryError, and
 * SharedMemoryError if threads cannot share memory.
 */
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

/** Constants of the module, read once from an instance in a temporary memory. */
let sizes: Record<'__heap_base' | '__tls_size', number> | undefined;
function sizesOfModule(): Record<'__heap_base' | '__tls_size', number> {
  if (sizes === undefined) {
    const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true });
    const exports = instantiate(memory, link());
    sizes = {
      __heap_base: exports.__heap_base.value as number,
      __tls_size: exports.__tls_size.value as number,
    };
  }
  return sizes;
}

function instantiate(memory: WebAssembly.Memory, { imports }: Linkage): Exports {
  return module.instantiate({ env: { ...imports['env'], memory } }).exports as Exports;
}

/** Where the places of threads begin, how far apart they are, and where the filter is. */
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

/** The number of places, then a flag for each: whether it is taken. */
function headOf(memory: WebAssembly.Memory, end: number): Int32Array {
  return new Int32Array(memory.buffer, lined(end), 1);
}

/** One thread's instance in a memory. */
export class SharedInstance extends Instance<SharedBindings> {
  readonly #bindings: SharedBindings;
  override readonly refusal = (outcome: number | undefined, added: number): Error | undefined =>
    outcome === this.#bindings.shared.busy ? new FilterBusyError(added) : undefined;

  constructor(bindings: SharedBindings) {
    super('', 'SharedCuckooFilter');
    this.#bindings = bindings;
  }
  override get bindings(): SharedBindings {
    return this.#bindings;
  }
}

/** A thread's way into a memory. */
export interface Joined {
  readonly instance: SharedInstance;
  readonly memory: WebAssembly.Memory;
  /** The number of its place. */
  readonly thread: number;
  /** The address of the filter. */
  readonly filter: number;
  /** A flag for each place: whether it is taken. */
  readonly places: Int32Array;
}

/** Takes a place in `memory` and starts an instance there. Throws if all places are taken. */
export function join(memory: WebAssembly.Memory): Joined {
  checkShareable();
  const linkage = link();
  const exports = instantiate(memory, linkage);
  const end = exports.__heap_base.value as number;
  const maxThreads = headOf(memory, end)[0] as number;
  if (maxThreads === 0) throw sharedMemoryError('not-shared'); // No filter was ever made there.
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

/**
 * Whether this thread may wait; the main thread of a page may not. The test itself does not wait, because the thread's
 * place is taken.
 */
function mayWait(places: Int32Array, thread: number): boolean {
  try {
    Atomics.wait(places, thread, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** Plans shared filters, and plain ones for comparison, in a memory that holds no filter. */
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

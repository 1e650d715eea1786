// The WebAssembly module of SharedCuckooFilter. Each filter has its own memory, which threads share, and each thread
// has an instance of the module in it. Memory holds, in this order: a head, which tells what memory this is; the
// module's constants; two words for each place; the places, each with its thread's stack and variables; and the filter.
// Invariant: nothing is instantiated in a memory that this build of the module did not make.
import inlined from '#shared';
import { OutOfMemoryError } from '../../errors.js';
import type { BindingsOf, FilterCalls, SharedCalls } from '../bindings.js';
import { link, type Link } from '../embind.js';
import { Instance } from '../instance.js';
import { MEMORY_ADVICE, Module, type Init, type ModuleSource } from '../module.js';
import { Weights } from '../weights.js';
import { Place, PLACE_WORDS } from './place.js';
import { FilterBusyError, sharedMemoryError } from './shared-errors.js';

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

/** Where the head begins: in every build, the linker leaves the first 1024 bytes free. */
const HEAD = 64;
const enum Head {
  mark,
  build,
  maxThreads,
  /** The number of the last thread. */
  threads,
  words,
}
/** What `mark` says: "cuc2", so that this layout is told from others, whose module may be the same. */
const MARK = 0x32637563;

const module = new Module(inlined);

/** The same as `preload` of cuckoofilter-wasm, for SharedCuckooFilter. */
export async function preload(): Promise<void> {
  await module.compile();
}

/** The same as `init` of cuckoofilter-wasm, for SharedCuckooFilter, with a copy of `cuckoofilter-wasm/shared.wasm`. */
export const init = ((source: ModuleSource) => module.take(source)) as Init;

/** Identifies the build of the module: instances of two builds in one memory would destroy it. */
function buildOfModule(): number {
  return parseInt(`0${module.build}`, 16) | 0;
}

/**
 * A memory with room for a filter of `filterBytes` bytes, and for `maxThreads` threads. Throws OutOfMemoryError, and
 * SharedMemoryError if threads cannot share memory.
 */
export function newMemory(filterBytes: number, maxThreads: number): WebAssembly.Memory {
  checkShareable();
  const { __heap_base: end, __tls_size: variables } = sizesOfModule();
  const pages = Math.ceil(layoutOf(end, variables, maxThreads).filter / PAGE + filterBytes / PAGE);
  const memory = sharedMemory(pages);
  headOf(memory).set([MARK, buildOfModule(), maxThreads]);
  return memory;
}

function sharedMemory(pages: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (cause) {
    const advice = pages > 65_536 ? ': it can have at most 4 GiB' : MEMORY_ADVICE;
    const message = `not enough memory for a shared filter of ${pages * PAGE} bytes${advice}`;
    throw new OutOfMemoryError(message, { cause });
  }
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
    const memory = sharedMemory(8);
    const exports = instantiate(memory, link());
    sizes = {
      __heap_base: exports.__heap_base.value as number,
      __tls_size: exports.__tls_size.value as number,
    };
  }
  return sizes;
}

function instantiate(memory: WebAssembly.Memory, { imports }: Link): Exports {
  return module.instantiate({ env: { ...imports['env'], memory } }).exports as Exports;
}

/** Where the places of threads begin, how far apart they are, and where the filter is. */
function layoutOf(
  end: number,
  variables: number,
  maxThreads: number,
): Record<'places' | 'step' | 'filter', number> {
  const places = lined(lined(end) + 4 * PLACE_WORDS * maxThreads);
  const step = lined(STACK_BYTES + variables);
  return { places, step, filter: places + maxThreads * step };
}

function lined(address: number): number {
  return Math.ceil(address / LINE) * LINE;
}

function headOf(memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, HEAD, Head.words);
}

/** The number of places in `memory`. Throws SharedMemoryError if this build of the module did not make it. */
function placesIn(memory: WebAssembly.Memory): number {
  const { byteLength } = memory.buffer;
  if (byteLength < PAGE) throw sharedMemoryError('not-shared');
  const [mark, build, maxThreads = 0] = headOf(memory);
  if (mark !== MARK) throw sharedMemoryError('not-shared');
  if (build !== buildOfModule()) throw sharedMemoryError('other-build');
  const { __heap_base: end, __tls_size: variables } = sizesOfModule();
  if (maxThreads < 1 || layoutOf(end, variables, maxThreads).filter > byteLength)
    throw sharedMemoryError('not-shared');
  return maxThreads;
}

/** Engines do not count memory that threads share: this counts what is not collected yet, disposed of or not. */
const weights = new Weights();
let used = 0;
const collected =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<number>((bytes) => (used -= bytes));

/** One thread's instance in a memory. */
export class SharedInstance extends Instance<SharedBindings> {
  readonly #bindings: SharedBindings;
  readonly #place: Place;
  override readonly refusal = (outcome: number | undefined, added: number): Error | undefined =>
    outcome === this.#bindings.shared.busy ? new FilterBusyError(added) : undefined;

  override readonly checkPlace = (): void => this.#place.check();

  constructor(bindings: SharedBindings, place: Place) {
    super('', 'SharedCuckooFilter');
    this.#bindings = bindings;
    this.#place = place;
  }
  override weigh(): void {
    if (collected === undefined) return;
    const { memory } = this.#bindings;
    const { byteLength } = memory.buffer;
    collected.register(memory, byteLength);
    weights.update((used += byteLength));
  }
  override get bindings(): SharedBindings {
    return this.#bindings;
  }
}

/** A thread's way into a memory. */
export interface Joined {
  readonly instance: SharedInstance;
  readonly memory: WebAssembly.Memory;
  readonly place: Place;
  readonly filter: number;
}

/**
 * Takes a place in `memory` and starts an instance there. Throws SharedMemoryError if `newMemory` did not make this
 * memory, or if all places are taken.
 */
export function join(memory: WebAssembly.Memory): Joined {
  checkShareable();
  const maxThreads = placesIn(memory);
  const made = link();
  const exports = instantiate(memory, made);
  const end = exports.__heap_base.value as number;
  const number = 1 + (Atomics.add(headOf(memory), Head.threads, 1) & 0x3fffffff);
  const place = Place.take(new Int32Array(memory.buffer, lined(end), PLACE_WORDS * maxThreads), number);
  const layout = layoutOf(end, exports.__tls_size.value as number, maxThreads);
  const own = layout.places + place.index * layout.step;
  exports.__stack_pointer.value = own + STACK_BYTES;
  exports.__wasm_init_tls(own + STACK_BYTES);
  const bindings = made.start({ exports: { ...exports, memory } }) as SharedBindings;
  const { shared } = bindings;
  shared.open(place.index, place.mayWait());
  const offered = { ...bindings, plan: { describe: shared.describePlan }, plainPlan: bindings.plan };
  return { instance: new SharedInstance(offered, place), memory, place, filter: layout.filter };
}

/** Plans shared filters, and plain ones for comparison, in a memory that holds no filter. */
let planners: { readonly shared: SharedInstance; readonly plain: SharedInstance } | undefined;
export function plannersOf(): { readonly shared: SharedInstance; readonly plain: SharedInstance } {
  if (planners === undefined) {
    const { instance, place } = join(newMemory(0, 1));
    const { filter, plainPlan, shared } = instance.bindings;
    const plain = { ...instance.bindings, filter: { ...filter, plan: shared.planPlain }, plan: plainPlan };
    planners = { shared: instance, plain: new SharedInstance(plain, place) };
  }
  return planners;
}

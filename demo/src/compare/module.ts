// The lab's filters behind the page: demo/cpp/lab.cpp in WebAssembly, in a worker.
// Invariant: nothing of a filter is computed here; figures are those that the module tells.
import address from '../../../build/wasm/demo/cpp/lab.wasm?inline';
import { bytesOf } from '../core/inlined';

export interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize?(): void;
  lab_buffer(length: number): number;
  lab_use_numbers(): void;
  lab_begin_lines(isForKeys: number): void;
  lab_read_lines(length: number, isLast: number): number;
  lab_use_lines(share: number): number;
  lab_absent_lines(): number;
  lab_compare(kind: number, keys: number, rate: number, bitsPerKey: number, share: number): number;
  lab_watch(kind: number, length: number, key: number): number;
  lab_false_lines(kind: number, length: number, isLast: number): number;
  lab_evaluate(kind: number, log2Buckets: number, figures: number): number;
  lab_space(kind: number, keys: number, rate: number): number;
  lab_table_load(functions: number, slots: number, isSearch: number, all: number, seed: number): number;
  lab_load_threshold(functions: number, slots: number): number;
}

/** What the module calls while it works. */
export interface Ears {
  tell(figure: number, value: number): void;
  point(figure: number, line: number, x: number, y: number): void;
  row(...values: number[]): void;
}

export async function createLab(ears: Ears): Promise<Exports> {
  const page = { ...ears, now: (): number => performance.now() / 1000 };
  // Emscripten's memory tells of its growth; views are made anew for each call.
  const env = { emscripten_notify_memory_growth: (): void => undefined };
  const { instance } = await WebAssembly.instantiate(bytesOf(address), { page, env });
  const lab = instance.exports as unknown as Exports;
  lab._initialize?.();
  return lab;
}

/** Puts bytes into the module's buffer, for the call that follows. */
export function put(lab: Exports, bytes: Uint8Array): void {
  const at = lab.lab_buffer(bytes.length);
  new Uint8Array(lab.memory.buffer, at, bytes.length).set(bytes);
}

/** A copy of what a call left in the buffer. */
export function taken(lab: Exports, bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(lab.memory.buffer, lab.lab_buffer(0), bytes).slice();
}

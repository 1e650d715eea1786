// The cuckoo hash table of the first scene: demo/cpp/hash_table.cpp in WebAssembly.
// Invariant: every place and move is told by the module; the page computes none. It is loaded with the scene.
import address from '../../../build/wasm/demo/cpp/hash_table.wasm?inline';
import { loadModule, putText } from './inlined';
import type { HashTable } from '../model/names';

interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  table_key(): number;
  table_moves(): number;
  table_move_count(): number;
  table_create(bucketCount: number, maxMoves: number, seed: number): number;
  table_name(length: number): number;
  table_place(length: number, i: number): number;
  table_insert(length: number): number;
  table_rehash(length: number): number;
  table_read(slot: number): number;
}

export type MakeTable = (slotsPerTable: number, maxMoves: number, seed: number) => HashTable;

const MOST_NAME_BYTES = 256;
const WORDS_OF_A_MOVE = 3;
export async function loadHashTable(): Promise<MakeTable> {
  const core = await loadModule<Exports>(address);
  core._initialize();
  return (slotsPerTable, maxMoves, seed) => tableOf(core, slotsPerTable, maxMoves, seed);
}

function tableOf(core: Exports, slotsPerTable: number, maxMoves: number, seed: number): HashTable {
  const names = new Map<number, string>();
  const slotCount = 2 * slotsPerTable;
  core.table_create(slotsPerTable, maxMoves, seed);
  const put = (name: string): number => putText(core.memory, core.table_key(), MOST_NAME_BYTES, name);
  const nameOf = (number: number): string | null => names.get(number >>> 0) ?? null;
  return {
    slots: () => Array.from({ length: slotCount }, (_, slot) => nameOf(core.table_read(slot))),
    places(name) {
      const length = put(name);
      return [core.table_place(length, 0), core.table_place(length, 1)];
    },
    insert(name) {
      const length = put(name);
      names.set(core.table_name(length) >>> 0, name);
      const isIn = core.table_insert(length) !== 0;
      const count = core.table_move_count();
      const words = new Uint32Array(core.memory.buffer, core.table_moves(), WORDS_OF_A_MOVE * count);
      const moves = Array.from({ length: count }, (_, i) => {
        const [moved = 0, slot = 0, replaced = 0] = words.subarray(WORDS_OF_A_MOVE * i);
        return { name: nameOf(moved) ?? name, slot, replaces: nameOf(replaced) };
      });
      return { isIn, moves };
    },
    rehash: (name) => core.table_rehash(put(name)) !== 0,
  };
}

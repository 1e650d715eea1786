// The Bloom filter behind the page: demo/cpp/bloom.cpp in WebAssembly.
// Invariant: nothing of the filter is computed here; bits and places are read from its memory.
import address from '../../../build/wasm/demo/cpp/bloom.wasm?inline';
import { loadModule, putText } from './inlined';

interface Exports {
  readonly memory: WebAssembly.Memory;
  bloom_reset(bits: number, probes: number): void;
  bloom_insert(length: number): void;
  bloom_contains(length: number): number;
  bloom_key(): number;
  bloom_bits(): number;
  bloom_places(): number;
}

/** What an operation did: its places in order, how many of them it read, and whether all were set. */
export interface BloomAnswer {
  readonly places: readonly number[];
  readonly reads: number;
  readonly isFound: boolean;
}

export interface Bloom {
  readonly bitCount: number;
  readonly probes: number;
  insert(key: string): BloomAnswer;
  contains(key: string): BloomAnswer;
  bits(): Uint8Array;
}

const MOST_KEY_BYTES = 4096;

/** An empty filter of `bitCount` bits, 16,384 at most; each key sets `probes` of them, 16 at most. */
export async function createBloom(bitCount: number, probes: number): Promise<Bloom> {
  const core = await loadModule<Exports>(address);
  core.bloom_reset(bitCount, probes);
  const put = (key: string): number => putText(core.memory, core.bloom_key(), MOST_KEY_BYTES, key);
  const places = (): number[] => [...new Uint32Array(core.memory.buffer, core.bloom_places(), probes)];
  return {
    bitCount,
    probes,
    insert(key) {
      core.bloom_insert(put(key));
      return { places: places(), reads: probes, isFound: true };
    },
    contains(key) {
      const packed = core.bloom_contains(put(key));
      return { places: places(), reads: packed >>> 16, isFound: (packed & 1) === 1 };
    },
    bits: () => new Uint8Array(core.memory.buffer, core.bloom_bits(), bitCount).slice(),
  };
}

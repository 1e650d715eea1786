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

/** What a lookup did: its places in order, how many of them it read, and whether all were set. */
export interface BloomAnswer {
  readonly places: readonly number[];
  readonly reads: number;
  readonly isFound: boolean;
}

const MOST_KEY_BYTES = 4096;

/** An empty filter of `bitCount` bits, 16,384 at most; each key sets `probes` of them, 16 at most. */
export async function createBloom(bitCount: number, probes: number) {
  const core = await loadModule<Exports>(address);
  core.bloom_reset(bitCount, probes);
  const put = (key: string): number => putText(core.memory, core.bloom_key(), MOST_KEY_BYTES, key);
  return {
    insert: (key: string) => core.bloom_insert(put(key)),
    contains(key: string): BloomAnswer {
      const packed = core.bloom_contains(put(key));
      const places = [...new Uint32Array(core.memory.buffer, core.bloom_places(), probes)];
      return { places, reads: packed >>> 16, isFound: (packed & 1) === 1 };
    },
    bits: () => new Uint8Array(core.memory.buffer, core.bloom_bits(), bitCount).slice(),
  };
}

export type Bloom = Awaited<ReturnType<typeof createBloom>>;

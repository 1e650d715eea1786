// What the strings of filters take as the server's allocator counts them, for capacities from 100,000 to 100 million at the default
// rate; and what they would take without sorted buckets, where a key takes 13 bits instead of 12.
// Invariant: a string's size is computed as the planner (js/redis/shard/places.ts) and the allocator (four sizes between two powers
// of two) compute it; both are compared with what a server says.
import { RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { fail } from '../timing.mjs';

const SORTED = { bits: 12, load: 0.94 };
const SLOTS = 4;
const DEFAULT_BYTES = 0.98 * 2 ** 21;
/** Before the bytes of a long string, and after them. */
const AROUND = 10;

/** Bytes that the allocator gives for `bytes`. */
function allocated(bytes) {
  const step = 2 ** Math.floor(Math.log2(bytes - 1)) / 4;
  return Math.ceil(bytes / step) * step;
}

const bucketsFor = (keys, { load }) => Math.ceil((keys / load + 2 * Math.sqrt(keys) + 4) / SLOTS);
const bytesFor = (buckets, { bits }) => Math.ceil((buckets * SLOTS * bits) / 8);
const shardsFor = (capacity, shape) =>
  Math.ceil(bytesFor(bucketsFor(capacity, shape), shape) / DEFAULT_BYTES);

/** Bytes that each string of a filter needs; the planner gives it the rest of what the allocator gives. */
function stringBytes(capacity, shape, shards) {
  const share = capacity / shards;
  const buckets = bucketsFor(Math.min(capacity, Math.ceil(share + 6 * Math.sqrt(share))), shape);
  let span = 1024;
  while (buckets > 256 * span) span *= 2;
  return 72 + bytesFor(buckets, shape) + 6 * Math.ceil(buckets / span) + 32;
}

function memoryOf(capacity, shape, shards = shardsFor(capacity, shape)) {
  return shards * allocated(stringBytes(capacity, shape, shards) + AROUND);
}

/** The least memory of up to twice as many shards, if there are several. */
function bestMemoryOf(capacity, shape) {
  const shards = shardsFor(capacity, shape);
  const counts = Array.from({ length: shards > 1 ? shards + 1 : 1 }, (_, i) => shards + i);
  return Math.min(...counts.map((count) => memoryOf(capacity, shape, count)));
}

/** Prints a table. `usage(bytes)` is what a server says that a string of so many bytes takes. */
export async function sortedOrPlain(send, usage) {
  for (const capacity of [1e5, 1e6, 1e7]) {
    const filter = await RedisCuckooFilter.open({ send, name: `memory ${capacity}`, capacity });
    const { shards, byteLength } = await filter.info();
    await filter.drop();
    const bytes = byteLength / shards;
    const planned = allocated(stringBytes(capacity, SORTED, shards) + AROUND);
    if (shards !== shardsFor(capacity, SORTED) || allocated(bytes + AROUND) !== planned)
      fail(`the planner has changed: ${shards} strings of ${bytes} bytes`);
    const told = await usage(bytes);
    if (Math.abs(told - planned) > 200) fail(`a string of ${bytes} bytes takes ${told}`);
  }
  const plain = { ...SORTED, bits: 13 };
  const fuller = { ...plain, load: 0.96 };
  const ways = {
    'sorted buckets, as they are': (capacity) => memoryOf(capacity, SORTED),
    'no sorted buckets': (capacity) => memoryOf(capacity, plain),
    'and as many shards as take least': (capacity) => bestMemoryOf(capacity, plain),
    'and tables filled to 96 % rather than 94': (capacity) => bestMemoryOf(capacity, fuller),
  };
  const capacities = Array.from({ length: 3001 }, (_, i) => Math.round(1e5 * 1000 ** (i / 3000)));
  console.log(
    'bytes a key of 3,001 capacities from 100,000 to 100 million, by the allocator; mean, beside the first, worst',
  );
  const first = capacities.map(ways['sorted buckets, as they are']);
  for (const [name, memory] of Object.entries(ways)) {
    const all = capacities.map(memory);
    const bytes = all.reduce((sum, each, i) => sum + each / capacities[i], 0) / all.length;
    const ratios = all.map((each, i) => each / first[i]);
    const mean = ratios.reduce((sum, each) => sum + each, 0) / all.length;
    console.log(
      `  ${name.padEnd(42)}${bytes.toFixed(3).padStart(7)}  x ${mean.toFixed(3)}  x ${Math.max(...ratios).toFixed(3)}`,
    );
  }
  console.log();
}

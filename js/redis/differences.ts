// The errors if a string on the server is not the expected filter.
import { argumentError } from '../src/errors.js';
import { FormatError } from '../src/basic-errors.js';
import { readTable } from '../src/reader/table.js';
import { placesOf, type Places } from './shard/places.js';

/** The error for the string `key`, which begins with the bytes `begin` instead of those of `wanted`. */
export function differences(key: string, begin: Uint8Array, wanted: Places): Error {
  try {
    readTable(begin, 0, 0);
  } catch (error) {
    const { code } = error as FormatError;
    const what =
      code === 'not-a-filter'
        ? 'holds something else, not a filter'
        : 'is damaged, or another kind of filter, or one of another version';
    return new FormatError(`${key} on the server ${what}. Choose another name`, code);
  }
  const given = placesOf(begin);
  const told = [...optionsBehind(given, wanted)].map(([option, parts]) => `${option} (${parts.join(', ')})`);
  if (told.length === 0)
    return new FormatError(`${key} on the server has another length than its header says`, 'cut-short');
  return argumentError(
    `${key} was made with another ${told.join(' and ')}. Open it with the options it was made with, or choose another name`,
    RangeError,
  );
}

/** The options of `open` that differ, each with the parameters that show it. */
function optionsBehind(one: Places, other: Places): Map<string, string[]> {
  const [a, b] = [one.table.parameters, other.table.parameters];
  const options = new Map<string, string[]>();
  const compare = (option: string, name: string, there: unknown, here: unknown): void => {
    if (there === here) return;
    options.set(option, [
      ...(options.get(option) ?? []),
      `${name}${String(there)} instead of ${String(here)}`,
    ]);
  };
  compare('number of shards', '', one.shards, other.shards);
  // What a shard holds depends on the number of shards.
  if (one.shards === other.shards) {
    const isToGrow = one.table.doublings + other.table.doublings > 0;
    const name = one.shards === 1 ? '' : 'keys per shard ';
    compare(isToGrow ? 'maxCapacity' : 'capacity', name, a.maxCapacity, b.maxCapacity);
  }
  for (const name of ['bucketSize', 'fingerprintBits'] as const)
    compare('falsePositiveRate', `${name} `, a[name], b[name]);
  if (options.size > 0) return options;
  compare('capacity', 'buckets per shard ', a.bucketCount, b.bucketCount);
  return options;
}

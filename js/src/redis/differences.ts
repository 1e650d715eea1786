// Why a string on the server is not the filter that was meant, in words.
import { FormatError } from '../format-error.js';
import { readTable } from '../reader/table.js';
import { placesOf, type Places } from './places.js';

/** The error for the string `key`, which begins with the bytes `begin` instead of those of `wanted`. */
export function differences(key: string, begin: Uint8Array, wanted: Places): Error {
  try {
    readTable(begin, 0, 0);
  } catch (error) {
    const { message, code } = error as FormatError;
    return new FormatError(`${key} on the server is not such a filter: ${message}`, code);
  }
  const given = placesOf(begin);
  const describe = ({
    table: { parameters, doublings },
    shards,
  }: Places): Record<string, string | number> => ({
    shards,
    'keys per shard': parameters.maxCapacity,
    'buckets per shard': parameters.bucketCount,
    'doublings to come': doublings,
    bucketSize: parameters.bucketSize,
    fingerprintBits: parameters.fingerprintBits,
    semiSorted: String(parameters.semiSorted),
    addressing: parameters.addressing,
    hashAlgorithm: parameters.hashAlgorithm,
    maxKicks: parameters.maxKicks,
  });
  const there = describe(given);
  const differing = Object.entries(describe(wanted)).filter(([name, value]) => there[name] !== value);
  if (differing.length === 0)
    return new FormatError(`${key} on the server has another length than its header says`, 'cut-short');
  const option = optionBehind(given, wanted);
  const list = differing.map(([name, value]) => `${name} ${there[name]} instead of ${value}`).join(', ');
  return new RangeError(
    `${key} exists with other options: ${list}. Another ${option} was given: give the options it was made with, or another name`,
  );
}

/** The options of `open` that the differences come from. */
function optionBehind(one: Places, other: Places): string {
  const [a, b] = [one.table.parameters, other.table.parameters];
  const names: string[] = [];
  if (one.shards !== other.shards) names.push('number of shards');
  // What a shard holds depends on their number.
  else if (a.maxCapacity !== b.maxCapacity)
    names.push(one.table.doublings + other.table.doublings > 0 ? 'maxCapacity' : 'capacity');
  if (
    a.fingerprintBits !== b.fingerprintBits ||
    a.bucketSize !== b.bucketSize ||
    a.semiSorted !== b.semiSorted
  )
    names.push('falsePositiveRate');
  return names.length === 0 ? 'capacity' : names.join(' and ');
}

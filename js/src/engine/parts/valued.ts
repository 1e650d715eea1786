// Calls of CuckooValues and CuckooCounter that are made once per key, like the methods of Handle, but kept out of it for
// programs without these classes.
import type { ValuedCalls } from '../bindings.js';
import { Handle } from '../handle.js';

/** Bits of the number that each entry has. */
export function bitsOf(handle: Handle<ValuedCalls>): number {
  return handle.call('valueBits');
}

export function insertValue<Calls extends ValuedCalls>(
  handle: Handle<Calls>,
  length: number,
  number: number,
  value: number,
): number {
  return handle.calls.insert(Handle.addressOf(handle), length, number, value);
}

/** With `any`, erases the smallest value that there is. */
export function eraseValue<Calls extends ValuedCalls>(
  handle: Handle<Calls>,
  length: number,
  number: number,
  value: number,
  any: boolean,
): boolean {
  return handle.calls.erase(Handle.addressOf(handle), length, number, value, any) !== 0;
}

// How a filter begins: options are planned, and the core makes the filter in WebAssembly memory.
// Invariant: either a handle is returned, or an error is thrown and nothing is left in that memory.
import type { BindingsOf, FilterCalls, SavedCalls } from '../engine/bindings.js';
import { Handle } from '../engine/handle.js';
import type { Instance } from '../engine/instance.js';
import { outOfMemory } from '../engine/saved.js';
import { putSecret } from '../engine/scratch.js';
import { filterOptionsOf } from '../options/options.js';
import { ownOf, plan, sizesOfPlan, type PlanOptions } from '../options/planning.js';
import { secretOf } from '../options/secret.js';
import { Doublings } from './growth.js';

/** A new filter of one table in the memory of `instance`, of options as a caller gave them. */
export function begin(instance: Instance, given: unknown): Handle<FilterCalls> {
  const options = filterOptionsOf(given);
  return reportGrowth(build(instance, options), options);
}

/** `handle`, made to report growth to `onGrow` if the option is given. */
export function reportGrowth<Growing extends Handle<SavedCalls>>(
  handle: Growing,
  { onGrow }: Pick<PlanOptions, 'onGrow'>,
): Growing {
  if (onGrow !== undefined) handle.growth = new Doublings(handle, onGrow);
  return handle;
}

/** A new filter of any class, of options as read. Throws as the constructor of CuckooFilter does. */
export function build<Calls extends SavedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  given: PlanOptions,
): Handle<Calls> {
  const options = ownOf(given);
  plan(instance, options);
  const { capacity, maxCapacity, hash } = options;
  const { filter } = instance.bindings;
  const address = filter.create(putSecret(instance.scratch, secretOf(hash)));
  if (address === 0) throw outOfMemory(instance, { ...sizesOfPlan(instance), currentCapacity: capacity });
  return new Handle(instance, filter, address, capacity, maxCapacity);
}

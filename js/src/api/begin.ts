// A filter of one table, made from options, with what it has been asked to watch.
// Invariant: the audit is laid over the methods first, so that growth is told after it.
import { audit } from '../observe/audit.js';
import { tellGrowth } from '../observe/growth.js';
import { optionsOf } from '../options.js';
import type { Instance } from '../wasm/instance.js';
import { build } from '../wasm/saved.js';
import { Handover } from './handover.js';
import type { MergeableFilter } from './mergeable.js';
import { handleOf } from './sized.js';

/** A new filter in the memory of `instance`, of options as a caller gave them. */
export function begin(instance: Instance, given: unknown): Handover {
  const options = optionsOf(given);
  const handle = build(instance, options);
  return new Handover(handle, (filter: MergeableFilter) => {
    if (options.audit === true) audit(filter, handleOf);
    if (options.onGrow !== undefined) tellGrowth(filter, handle, options.onGrow);
  });
}

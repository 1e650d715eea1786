import { jest } from '@jest/globals';
import type { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

/** What `filter.reclaim(thread)` resolves to, without the wait. */
export async function reclaimed(filter: SharedCuckooFilter, thread: number): Promise<boolean> {
  jest.useFakeTimers();
  const free = filter.reclaim(thread);
  await jest.advanceTimersByTimeAsync(11_000);
  jest.useRealTimers();
  return free;
}

// A page: runs the program, lets a worker run it, and shares a filter with several workers that add strings at once.

/* global crossOriginIsolated, Worker -- in a page */
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { textsOf } from './keys.mjs';
import { check } from './program.mjs';

const WORKERS = 3;

/** What each part gave. */
export async function results() {
  return {
    isolated: crossOriginIsolated,
    page: await check(),
    worker: await inWorker('check'),
    threads: await threads(),
  };
}

function inWorker(message) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
    worker.postMessage(message);
  });
}

async function threads() {
  try {
    const all = Array.from({ length: WORKERS + 1 }, (_, thread) => textsOf(thread));
    const filter = new SharedCuckooFilter({ capacity: 10_000, falsePositiveRate: 1e-6 });
    const shared = filter.share();
    const others = Promise.all(all.slice(1).map((_, i) => inWorker({ shared, thread: i + 1 })));
    for (const text of all[0]) while (!(await added(filter, text)));
    const told = await others;
    const missed = all.flat().length - filter.containsMany(all.flat()).reduce((sum, it) => sum + it, 0);
    return { missed, told, isWhole: filter.size === all.flat().length };
  } catch ({ code, message }) {
    return { code, message };
  }
}

/** Adds from the page's main thread, which may not wait: if another thread is writing, it gets an error and tries again. */
async function added(filter, text) {
  try {
    filter.add(text);
    return true;
  } catch (error) {
    if (error.code !== 'filter-busy') throw error;
    await new Promise((resolve) => setTimeout(resolve));
    return false;
  }
}

// Watches a filter with the thresholds of production guides: load over 85 %, more than one insert in a million refused,
// doublings of more than 10 ms. With a planned filter the load is no reason to worry: it is made to fill up to 97 %, and
// one with `maxCapacity` doubles by itself.

/** The warnings, in words; none if all is well. */
export function warnings(filter, { maxLoad = 0.85, maxRefused = 1e-6, maxPause = 10 } = {}) {
  const { loadFactor, full, tooManyCopies, kicks, growths } = filter.stats();
  const inserts = kicks.reduce((sum, count) => sum + count, 0) + full + tooManyCopies;
  const longest = Math.max(0, ...growths.map(({ pause }) => pause));
  const share = (count) => `${((100 * count) / inserts).toPrecision(2)} % of ${inserts} inserts`;
  return [
    filter.currentCapacity === filter.maxCapacity &&
      loadFactor > maxLoad &&
      `load ${loadFactor.toFixed(3)}, and no growth left`,
    full > maxRefused * inserts && `${share(full)} found no room`,
    tooManyCopies > maxRefused * inserts && `${share(tooManyCopies)} were one copy too many`,
    longest > maxPause && `a doubling took ${longest.toFixed(0)} ms`,
  ].filter((warning) => warning !== false);
}

// Fills the memory that there is with filters. Invariant: only RangeErrors, which tell that there is no more, are caught.

/** A class of filters. */
type ClassOf<Filter> = new (options: {
  capacity: number;
  bucketCount: number;
  bucketSize: number;
  fingerprintBits: number;
}) => Filter;

/** A filter whose table takes this many bytes. */
export function filterOf<Filter>(tableBytes: number, Class: ClassOf<Filter>): Filter {
  return new Class({
    capacity: 1,
    bucketCount: tableBytes,
    bucketSize: 1,
    fingerprintBits: 8,
  });
}

/** True if `make` does not throw, false for a RangeError; any other error is the test's end. */
export function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Makes filters, ever smaller ones, until not even the smallest fits, and returns them. */
export function fill<Filter>(Class: ClassOf<Filter>): Filter[] {
  const filters: Filter[] = [];
  for (let tableBytes = 2 ** 20; tableBytes >= 1;) {
    if (isMade(() => void filters.push(filterOf(tableBytes, Class)))) continue;
    tableBytes = tableBytes > 64 ? Math.floor(tableBytes / 2) : tableBytes - 1;
  }
  return filters;
}

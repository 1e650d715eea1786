// What a refused `tryAdd` takes, where no kicks can succeed: in tables whose buckets are all full, and that are
// small enough for that to be found (detail/entries/search.h). Run with `npm run bench -- refused`.
// Invariant: each figure is printed beside that of an `add` and `delete` of a stored key's copy in the same table.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { median, printMachine, printUsed, use } from '../timing.mjs';

const ROUNDS = 2000;
const MOST_MICROSECONDS = 20;

printMachine('none');
console.log(
  '\nµs per refused tryAdd (median; most of the middle 98 %), and per tryAdd and delete with one slot free',
);
for (const bucketSize of [2, 4, 8]) {
  for (const fingerprintBits of [8, 12, 16]) {
    for (const bucketCount of [1, 2, 7, 16, 64]) measure({ bucketCount, bucketSize, fingerprintBits });
  }
}
measure({ bucketCount: 64, bucketSize: 4, fingerprintBits: 13, semiSort: true });
measure({ bucketCount: 64, bucketSize: 4, fingerprintBits: 20, semiSort: true });
measure({ bucketCount: 4096, bucketSize: 4, fingerprintBits: 12 }, 'too many buckets to be found');
measure({ bucketCount: 4096, bucketSize: 8, fingerprintBits: 16 }, 'too many buckets to be found');
printUsed();

function measure(sizes, note) {
  const filter = new CuckooFilter({ capacity: 1, ...sizes });
  const slots = sizes.bucketCount * sizes.bucketSize;
  let last = 0;
  let key = 0;
  for (let tried = 0; filter.size < slots && tried < 1000 * slots; ++tried) {
    if (filter.tryAdd(++key) === 'added') last = key;
  }
  const isFull = filter.size === slots;
  const refused = timed(() => {
    const outcome = filter.tryAdd(++key);
    return outcome !== 'added';
  });
  filter.delete(last);
  const added = timed(() => {
    const isAdded = filter.tryAdd(last) === 'added';
    filter.delete(last);
    return isAdded;
  });
  const shape = `${sizes.bucketCount} x ${sizes.bucketSize} x ${sizes.fingerprintBits}${sizes.semiSort ? ' s' : ''}`;
  const [middle, most] = [median(refused), refused[Math.floor(0.99 * refused.length)]];
  const verdict = note ?? (middle <= MOST_MICROSECONDS ? '' : `asked ${MOST_MICROSECONDS}: not reached`);
  console.log(
    `  ${shape.padEnd(16)}${isFull ? 'full' : `load ${filter.loadFactor.toFixed(3)}`.padEnd(4)}  ` +
      `${middle.toFixed(1).padStart(7)} ${most.toFixed(1).padStart(7)} ${median(added).toFixed(1).padStart(7)}  ${verdict}`,
  );
  filter.dispose();
}

/** Microseconds of each call that does what it should, in order. */
function timed(act) {
  const times = [];
  for (let round = 0; round < 2 * ROUNDS; ++round) {
    const start = process.hrtime.bigint();
    const isMeant = act();
    const spent = Number(process.hrtime.bigint() - start) / 1000;
    use(isMeant);
    if (isMeant && round >= ROUNDS) times.push(spent);
  }
  return times.sort((one, other) => one - other);
}

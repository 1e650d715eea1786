"""Prints how long a million keys take in a build step, and how large the files are: python3 bench.py [COUNT]"""

import platform
import sys
import time

import cuckoofilter
from cuckoofilter import Filter

count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
keys = [f"host-{i}.example" for i in range(count)]
absent = [f"none-{i}.example" for i in range(count)]
numpy = "without NumPy" if cuckoofilter.numpy is None else f"NumPy {cuckoofilter.numpy.__version__}"
print(f"Python {platform.python_version()}, {numpy}, {count:,} keys")


def timed(what, act):
    start = time.perf_counter()
    result = act()
    print(f"{what:>22}: {time.perf_counter() - start:6.1f} s")
    return result


f = Filter.for_keys(count, 0.001)
timed("add_many", lambda: f.add_many(keys))
data = timed("save", f.save)
loaded = timed("load", lambda: Filter.load(data))
assert all(timed("contains_many", lambda: loaded.contains_many(keys)))
wrong = sum(map(int, loaded.contains_many(absent)))
print(f"{len(data):,} bytes, {8 * len(data) / count:.2f} bits per key; {wrong / count:.5f} of absent keys reported present")
for rate in (0.01, 0.001, 0.0001):
    plain = Filter.for_keys(count, rate)
    print(f"rate {rate}: {(plain.buckets * plain._bucket_bits() + 7) // 8 + 80:,} bytes")

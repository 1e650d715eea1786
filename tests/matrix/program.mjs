import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';

export function answers() {
  const filter = new CuckooFilter({ capacity: 1000 });
  filter.add('alice').add(5);
  const copy = CuckooFilter.deserialize(filter.serialize());
  const scalable = new ScalableCuckooFilter({ capacity: 10 });
  for (let i = 0; i < 100; ++i) scalable.add(i);
  const seen = new ExpiringFilter({ capacity: 100, periods: 3 });
  const traced = new Traced({ capacity: 100 }).add('alice');
  const values = new CuckooValues({ capacity: 10, valueBits: 4 }).set('alice', 7);
  const counts = new CuckooCounter({ capacity: 10 }).add('alice').add('alice');
  return [
    copy.has('alice'),
    copy.has('bob'),
    scalable.has(99),
    scalable.has('bob'),
    seen.isNew('x'),
    seen.isNew('x'),
    traced.has('alice'),
    values.get('alice').join(),
    counts.count('alice'),
  ].join(' ');
}

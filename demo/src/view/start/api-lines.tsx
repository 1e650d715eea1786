// The package's API in a few lines, with the name that the visitor typed.
// Invariant: run as they stand, the lines give the answers that they say (a test runs them).
import { Sample } from '../../controls/sample';
import { words } from '../../i18n';

export function ApiLines({ name }: { name: string }) {
  const { api: t, answer, plot } = words.value;
  const [maybe, never] = [plot.named('true', answer.maybe), plot.named('false', answer.never)];
  const own = JSON.stringify(name);
  const lines = [
    ['import { CuckooFilter } from "cuckoofilter-wasm";', ''],
    ['const seen = new CuckooFilter({', ''],
    ['  capacity: 1_000_000,', ''],
    ['  falsePositiveRate: 0.001,', ''],
    ['});', ''],
    ['', t.add],
    [`seen.add(${own});`, ''],
    [`seen.has(${own});`, maybe],
    ['seen.has("a stranger");', never],
    ['', t.remove],
    [`seen.delete(${own});`, ''],
    ['seen.addIfAbsent("bob");', t.fresh],
    ['seen.addIfAbsent("bob");', plot.named('false', answer.maybe)],
    ['const bytes = seen.serialize();', t.save],
    ['const copy = CuckooFilter.deserialize(bytes);', ''],
  ] as const;
  return (
    <Sample label={t.title}>
      {lines.map(([code, remark], i) => (
        <span key={i}>
          {code}
          {code !== '' && remark !== '' && ' '}
          {remark !== '' && <em>{`// ${remark}`}</em>}
          {'\n'}
        </span>
      ))}
    </Sample>
  );
}

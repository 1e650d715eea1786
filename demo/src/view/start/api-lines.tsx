// The package's API in ten lines.
// Invariant: run as they stand, the lines give the answers that they say (a test runs them).
import { words } from '../../i18n';

export function ApiLines() {
  const { api: t, answer, plot } = words.value;
  const [maybe, never] = [plot.named('true', answer.maybe), plot.named('false', answer.never)];
  const lines = [
    ["import { CuckooFilter } from 'cuckoofilter-wasm';", ''],
    ['const seen = new CuckooFilter({ capacity: 1_000_000 });', t.plan],
    ["seen.add('alice');", t.add],
    ["seen.has('alice');", maybe],
    ["seen.has('carol');", never],
    ["seen.delete('alice');", t.remove],
    ["seen.addIfAbsent('bob');", t.fresh],
    ["seen.addIfAbsent('bob');", plot.named('false', answer.maybe)],
    ['const bytes = seen.serialize();', t.save],
    ['const copy = CuckooFilter.deserialize(bytes);', ''],
  ] as const;
  return (
    <pre tabindex={0} role="region" aria-label={t.title}>
      <code>
        {lines.map(([code, remark], i) => (
          <span key={i}>
            {code}
            {remark !== '' && <em>{` // ${remark}`}</em>}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}

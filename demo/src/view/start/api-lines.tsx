// The end of the first minute: what was tried, as lines of the package's API, with the same table and the same keys.
// Invariant: run as they stand, with the birds of the table, the lines give the answers that they say (a test runs them).
import type { FirstMinute, Try } from '../../app/first-minute';
import { words } from '../../i18n';
import type { Settings } from '../../model/settings';

export function ApiLines({ minute, settings }: { minute: FirstMinute; settings: Settings }) {
  const { api: t, answer, guide, plot } = words.value;
  const { named } = plot;
  const rows = minute.rows.value;
  if (minute.upcoming.value !== undefined || rows.some(({ done }) => done === null)) return null;
  const { bucketCount, bucketSize, fingerprintBits, addressing, hashSeed } = settings;
  const seed = hashSeed === 0 ? '' : `, seed: ${hashSeed}`;
  const key = (what: Try): string => JSON.stringify(rows.find((row) => row.what === what)?.key);
  const { kicks = 0, result = '' } = rows.find(({ what }) => what === 'kick')?.done ?? {};
  const lines = [
    ["import { CuckooFilter } from 'cuckoofilter-wasm';", ''],
    [
      `const options = { capacity: ${bucketCount * bucketSize}, bucketCount: ${bucketCount}, bucketSize: ${bucketSize}, fingerprintBits: ${fingerprintBits}, addressing: '${addressing}'${seed} };`,
      '',
    ],
    ['const filter = CuckooFilter.from(birds, options);', t.birds],
    [`filter.add(${key('insert')});`, t.add],
    [`filter.has(${key('known')});`, named('true', answer.maybe)],
    [`filter.has(${key('stranger')});`, named('false', answer.never)],
    [`filter.has(${key('falsePositive')});`, named('true', answer.truths.falsePositive)],
    [`filter.tryAdd(${key('kick')});`, named(`'${result}'`, guide.kicks(kicks))],
    [`filter.delete(${key('insert')});`, t.remove],
    ['const bytes = filter.serialize();', t.save],
  ] as const;
  return (
    <section class="panel api" aria-labelledby="api-title">
      <h2 id="api-title">{t.title}</h2>
      <pre tabindex={0} role="region" aria-labelledby="api-title">
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
      <p class="note">{t.note}</p>
    </section>
  );
}

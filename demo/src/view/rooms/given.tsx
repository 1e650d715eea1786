// What an exercise gives beside its question: what the page would tell where it is pointed at, and its table.
import type { Exercise } from '../../core/exercises';
import { words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import { storedAt } from '../../model/trace/state';
import { Print, Told } from '../stage/chip';
import '../../styles/lists.css';

export function Given({ exercise: { given } }: { exercise: Exercise }) {
  const t = words.value.sheet;
  const { owners, kicks } = given;
  const lines = [
    kicks.length > 0 && t.kicks(kicks.map(({ bucket, slot }) => `${bucket}.${slot}`)),
    owners !== null && t.owners,
  ];
  return lines.map(
    (line, i) =>
      line !== false && (
        <p key={i} class="given">
          <Told text={line} />
        </p>
      ),
  );
}

/** A row a bucket, fingerprints in hexadecimal, and below each whose it is, where that is given. */
export function GivenTable({ exercise: { state, given } }: { exercise: Exercise }) {
  const { bucketCount, bucketSize, fingerprintBits } = state.shape;
  if (state.size === 0) return null;
  return (
    <table class="mini-table">
      <tbody>
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <tr key={bucket}>
            <th scope="row">{bucket}</th>
            {Array.from({ length: bucketSize }, (__, slot) => {
              const stored = storedAt(state, bucket, slot);
              if (stored === null) return <td key={slot} />;
              return (
                <td key={slot}>
                  <Print fingerprint={stored.fingerprint} text={hex(stored.fingerprint, fingerprintBits)} />
                  {given.owners !== null && <small>{given.owners.get(stored.owner)}</small>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

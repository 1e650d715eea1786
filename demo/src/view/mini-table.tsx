// A table as it stands on a sheet: a row a bucket, fingerprints in hexadecimal.
import { hex } from '../model/chip';
import { storedAt, type TableState } from '../model/state';

export function MiniTable({ state }: { state: TableState }) {
  const { bucketCount, bucketSize, fingerprintBits } = state.shape;
  return (
    <table class="mini-table">
      <tbody>
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <tr key={bucket}>
            <th scope="row">{bucket}</th>
            {Array.from({ length: bucketSize }, (__, slot) => {
              const stored = storedAt(state, bucket, slot);
              return <td key={slot}>{stored === null ? '' : hex(stored.fingerprint, fingerprintBits)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

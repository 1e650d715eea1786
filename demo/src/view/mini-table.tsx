// A table as it stands on a sheet: a row a bucket, fingerprints in hexadecimal, and below each what an exercise gives.
import { words } from '../i18n';
import type { Given } from '../exercises';
import { hex } from '../model/chip';
import { otherHome, storedAt, type Stored, type TableState } from '../model/state';
import '../styles/mini-table.css';

export function MiniTable({ state, given }: { state: TableState; given: Given }) {
  const { bucketCount, bucketSize } = state.shape;
  return (
    <table class="mini-table">
      <tbody>
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <tr key={bucket}>
            <th scope="row">{bucket}</th>
            {Array.from({ length: bucketSize }, (__, slot) => {
              const stored = storedAt(state, bucket, slot);
              return (
                <td key={slot}>{stored !== null && <Content {...{ state, given, stored, bucket }} />}</td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ContentProps {
  readonly state: TableState;
  readonly given: Given;
  readonly stored: Stored;
  readonly bucket: number;
}

function Content({ state, given, stored, bucket }: ContentProps) {
  const owner = given.owners?.get(stored.owner);
  return (
    <>
      {hex(stored.fingerprint, state.shape.fingerprintBits)}
      {given.hasOtherHomes && <small>{words.value.sheet.other(otherHome(stored, bucket))}</small>}
      {owner !== undefined && <small>{owner}</small>}
    </>
  );
}

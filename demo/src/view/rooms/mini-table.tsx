// A table in small: a row a bucket, fingerprints in hexadecimal, and below each what its user adds.
import type { ComponentChildren } from 'preact';
import { hex } from '../../model/picture/chip';
import { slotIndex, storedAt, type Stored, type TableState } from '../../model/trace/state';
import { Print } from '../stage/print';
import '../../styles/lists.css';

interface Props {
  readonly state: TableState;
  readonly below?: (stored: Stored) => ComponentChildren;
  /** Whether a slot stands out, by its index in `state.slots`. */
  readonly isChanged?: (index: number) => boolean;
}

export function MiniTable({ state, below, isChanged }: Props) {
  const { bucketCount, bucketSize, fingerprintBits } = state.shape;
  return (
    <table class="mini-table">
      <tbody>
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <tr key={bucket}>
            <th scope="row">{bucket}</th>
            {Array.from({ length: bucketSize }, (__, slot) => {
              const stored = storedAt(state, bucket, slot);
              return (
                <td key={slot} class={isChanged?.(slotIndex(state.shape, bucket, slot)) ? 'is-changed' : ''}>
                  {stored !== null && (
                    <Print fingerprint={stored.fingerprint} text={hex(stored.fingerprint, fingerprintBits)} />
                  )}
                  {stored !== null && below?.(stored)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

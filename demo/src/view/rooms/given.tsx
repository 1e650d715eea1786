// What an exercise gives beside its question and its table.
import type { Exercise, Given } from '../../core/exercises';
import { words } from '../../i18n';
import { hex } from '../../model/picture/chip';
import type { Stored, TableState } from '../../model/trace/state';
import { Told } from '../stage/print';
import { MiniTable } from './mini-table';

/** What the page would tell where it is pointed at. */
export function GivenLines({ exercise: { scene, task, state, given } }: { exercise: Exercise }) {
  const t = words.value.sheet;
  const { located, owners, kicks } = given;
  const bits = state.shape.fingerprintBits;
  const lines = [
    ...(located === null
      ? []
      : [
          t.located(
            String(task.facts['key']),
            hex(located.fingerprint, bits),
            located.primary,
            located.alternate,
          ),
        ]),
    ...(scene === 'lookup' || scene === 'delete' ? [t.order] : []),
    ...(kicks.length > 0 ? [t.kicks(kicks.map(({ bucket, slot }) => t.kick(bucket, slot)))] : []),
    ...(owners === null ? [] : [t.owners]),
  ];
  return lines.map((line) => (
    <p key={line} class="given">
      <Told text={line} />
    </p>
  ));
}

/** The table of an exercise, with what is given below each fingerprint. */
export function GivenTable({ state, given }: { state: TableState; given: Given }) {
  const below = (stored: Stored) => {
    const owner = given.owners?.get(stored.owner);
    return owner !== undefined && <small>{owner}</small>;
  };
  return <MiniTable state={state} below={below} />;
}

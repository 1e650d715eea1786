// Where a move of "Be the filter" is made: a bucket, a slot, or yes and no; by the table or by these buttons.
import { useEffect } from 'preact/hooks';
import { Button } from './button';
import { words } from '../i18n';
import type { Move } from '../model/be';
import type { Cell } from '../model/picture/layout';
import { storedAt } from '../model/trace/state';
import type { Store } from '../app/store';

interface MoveFieldProps {
  readonly store: Store;
  readonly move: Move;
  readonly onAnswer: (value: string) => void;
}

export function MoveField({ store, move, onAnswer }: MoveFieldProps) {
  const t = words.value.be;
  const { state } = store.session.value.place;
  const pressed = store.pressed.value;
  useEffect(() => {
    store.show({ pressed: null });
  }, [move, store]);
  useEffect(() => {
    store.show({ grip: gripOf(move) });
    return () => store.show({ grip: null });
  }, [move, store]);
  useEffect(() => {
    if (pressed === null) return;
    store.show({ pressed: null });
    // A press on the fingerprint that has to move is no answer: it is a look at it, or the start of a drag.
    if (move.kind === 'destination' && isAt(pressed, move)) return;
    if (move.asks === 'bucket') onAnswer(String(pressed.bucket));
    if (move.asks === 'slot') onAnswer(`${pressed.bucket}.${pressed.slot}`);
  }, [pressed]);
  if (move.asks === 'choice') {
    return (
      <div class="ask-actions">
        {(['yes', 'no'] as const).map((value) => (
          <Button key={value} text={t[value]} onClick={() => onAnswer(value)} />
        ))}
      </div>
    );
  }
  const { bucketCount, bucketSize } = state.shape;
  if (move.asks === 'bucket') {
    return (
      <>
        <div class="options is-tight">
          {Array.from({ length: bucketCount }, (_, bucket) => (
            <Button
              key={bucket}
              look="number"
              text={bucket}
              aria-label={words.value.stage.bucket(bucket)}
              onClick={() => onAnswer(String(bucket))}
            />
          ))}
        </div>
        <p class="note">{move.kind === 'home' ? t.pressBucket : t.dragToBucket}</p>
      </>
    );
  }
  const empty = Array.from({ length: bucketCount * bucketSize }, (_, i) => i).filter(
    (i) => storedAt(state, Math.floor(i / bucketSize), i % bucketSize) === null,
  );
  return (
    <>
      <label class="field">
        <span>{t.emptySlots}</span>
        <select value="" onChange={(event) => onAnswer(event.currentTarget.value)}>
          <option value="">{t.choose}</option>
          {empty.map((i) => {
            const name = `${Math.floor(i / bucketSize)}.${i % bucketSize}`;
            return (
              <option key={name} value={name}>
                {words.value.stage.emptySlot(Math.floor(i / bucketSize), i % bucketSize)}
              </option>
            );
          })}
        </select>
      </label>
      {move.kind === 'place' && <Button look="kick" text={t.kick} onClick={() => onAnswer('none')} />}
      <p class="note">{t.pressSlot}</p>
    </>
  );
}

function isAt({ bucket, slot }: Cell, { facts }: Move): boolean {
  return bucket === facts['bucket'] && slot === facts['slot'];
}

/** What the move takes from where it lies to somewhere else. */
function gripOf({ kind, facts }: Move): Store['grip']['value'] {
  if (kind === 'destination') return { bucket: Number(facts['bucket']), slot: Number(facts['slot']) };
  return kind === 'place' || kind === 'land' ? 'hand' : null;
}

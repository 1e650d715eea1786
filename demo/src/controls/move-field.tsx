// Where a move of "Be the filter" is made: a bucket, a slot, or yes and no; by the table or by these buttons.
import { useEffect } from 'preact/hooks';
import { Button } from './fields';
import { words } from '../i18n';
import type { Move } from '../model/be';
import type { Store } from '../app/store';

interface MoveFieldProps {
  readonly store: Store;
  readonly move: Move;
  /** The bucket that was pressed in vain. */
  readonly missed: number | null;
  readonly onAnswer: (value: string) => void;
}

export function MoveField({ store, move, missed, onAnswer }: MoveFieldProps) {
  const t = words.value.be;
  const pressed = store.pressed.value;
  useEffect(() => {
    store.show({ pressed: null });
  }, [move, store]);
  useEffect(() => {
    if (pressed === null) return;
    store.show({ pressed: null });
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
  if (move.asks === 'slot') {
    if (move.kind !== 'place') return null;
    return <Button look="kick" text={t.kick} onClick={() => onAnswer('none')} />;
  }
  return (
    <div class="options is-tight grid">
      {Array.from({ length: store.session.value.settings.bucketCount }, (_, bucket) => (
        <Button
          key={bucket}
          look="number"
          text={bucket}
          data-missed={bucket === missed || undefined}
          aria-label={words.value.stage.bucket(bucket)}
          onClick={() => onAnswer(String(bucket))}
        />
      ))}
    </div>
  );
}

// A key to look up in all filters at once: typed, or one of those present or absent.
import { useSignal } from '@preact/signals';
import { KeyField } from '../controls/key-field';
import { submitted } from '../controls/submitted';
import { Button } from '../controls/button';
import type { LabClient } from './client';
import { compareWords } from './words';

/** Steps through the keys that are far apart and come back late. */
const STEP = 104_729;

interface LookFormProps {
  readonly client: LabClient;
  readonly isReady: boolean;
}

export function LookForm({ client, isReady }: LookFormProps) {
  const t = compareWords.value;
  const text = useSignal('');
  const turn = useSignal(0);
  const number = (isPresent: boolean): void => {
    turn.value += 1;
    client.ask({ type: 'look', key: isPresent ? turn.value * STEP : -turn.value });
  };
  const look = (): void => {
    if (text.value !== '') client.ask({ type: 'look', key: text.value });
  };
  return (
    <form class="look-form" onSubmit={submitted(look)}>
      <h2>{t.lookTitle}</h2>
      <p class="note">{t.lookLead}</p>
      <div class="look-fields">
        <KeyField label={t.lookKey} value={text} />
        <Button text={t.look} type="submit" disabled={!isReady} />
        <Button look="quiet" text={t.lookPresent} disabled={!isReady} onClick={() => number(true)} />
        <Button look="quiet" text={t.lookAbsent} disabled={!isReady} onClick={() => number(false)} />
      </div>
    </form>
  );
}

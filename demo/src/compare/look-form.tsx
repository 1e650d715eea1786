// A key to look up in all filters at once: typed, or one of those present or absent.
import { useSignal } from '@preact/signals';
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
  return (
    <form
      class="look-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value !== '') client.ask({ type: 'look', key: text.value });
      }}
    >
      <h2>{t.lookTitle}</h2>
      <p class="note">{t.lookLead}</p>
      <div class="look-fields">
        <label class="key-field">
          <span>{t.lookKey}</span>
          <input
            type="text"
            name="look"
            autocomplete="off"
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <button class="button" type="submit" disabled={!isReady}>
          {t.look}
        </button>
        <button class="button is-quiet" type="button" disabled={!isReady} onClick={() => number(true)}>
          {t.lookPresent}
        </button>
        <button class="button is-quiet" type="button" disabled={!isReady} onClick={() => number(false)}>
          {t.lookAbsent}
        </button>
      </div>
    </form>
  );
}

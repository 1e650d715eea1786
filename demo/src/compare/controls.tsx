// What is compared: how many keys or which file, at which rate or bits, and which filters.
import type { Signal } from '@preact/signals';
import { Toggle } from '../controls/toggle';
import { Button } from '../controls/button';
import { Choose } from '../controls/choose';
import { words } from '../i18n';
import { oneOf, within, type Kept } from '../app/kept';
import { KINDS, type Goal, type Kind } from './protocol';
import { compareWords } from './words';

export const COUNTS: readonly number[] = [10_000, 100_000, 500_000, 1_000_000, 2_000_000, 5_000_000];
export const RATES: readonly number[] = [0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-5, 1e-6];
export const BITS: readonly number[] = [4, 6, 8, 10, 12, 13, 16, 20, 24, 32, 70];
const SHARES: readonly number[] = [0, 25, 50, 75, 100];
/** Of a file's lines some have to go in. */
const SHARES_IN = SHARES.filter((share) => share > 0);
const ALL = 2 ** KINDS.length - 1;

/** What can be set; each is kept in the link. */
export interface Choices {
  readonly count: Signal<number>;
  /** 0: a rate; 1: bits. */
  readonly goal: Signal<number>;
  readonly rate: Signal<number>;
  readonly bits: Signal<number>;
  readonly share: Signal<number>;
  /** A bit for each kind. */
  readonly kinds: Signal<number>;
}

export function choicesOf(kept: Kept): Choices {
  return {
    count: kept.number('keys', 1_000_000, within(1, 5_000_000)),
    goal: kept.number('goal', 0, within(0, 1)),
    rate: kept.number('rate', 0.001, oneOf(RATES)),
    bits: kept.number('bits', 13, oneOf(BITS)),
    share: kept.number('share', 50, oneOf(SHARES)),
    kinds: kept.number('kinds', ALL, within(1, ALL)),
  };
}

export function kindsOf(bits: number): Kind[] {
  return KINDS.filter((_, i) => ((bits >> i) & 1) === 1);
}

export function goalOf({ goal, rate, bits }: Choices): Goal {
  return goal.value === 0 ? { rate: rate.value, bitsPerKey: 0 } : { rate: 0, bitsPerKey: bits.value };
}

export function shareOf({ share }: Choices, file: File | null): number {
  return (file !== null && share.value === 0 ? 50 : share.value) / 100;
}

interface ControlsProps {
  readonly choices: Choices;
  readonly file: Signal<File | null>;
  readonly onFile: (file: File | null) => void;
}

export function Controls({ choices, file, onFile }: ControlsProps) {
  const t = compareWords.value;
  const { percent, number } = words.value.plot;
  const { count, goal, rate, bits, share } = choices;
  const counts = COUNTS.includes(count.value) ? COUNTS : [...COUNTS, count.value];
  return (
    <div class="measure-controls">
      {file.value === null && <Choose label={t.keys} values={counts} bound={count} textOf={t.keysOf} />}
      <Choose label={t.goal} values={[0, 1]} bound={goal} textOf={(i) => t.goals[i] ?? ''} />
      {goal.value === 0 ? (
        <Choose label={t.rate} values={RATES} bound={rate} textOf={(value) => percent(100 * value)} />
      ) : (
        <Choose label={t.bits} values={BITS} bound={bits} textOf={number} />
      )}
      <Choose
        label={file.value === null ? t.share : t.shareIn}
        values={file.value === null ? SHARES : SHARES_IN}
        value={100 * shareOf(choices, file.value)}
        textOf={percent}
        onChange={(value) => (share.value = value)}
      />
      <FileField file={file.value} onFile={onFile} />
    </div>
  );
}

function FileField({ file, onFile }: { file: File | null; onFile: (file: File | null) => void }) {
  const t = compareWords.value;
  if (file !== null) {
    return (
      <p class="file-chosen">
        <span>{t.fileIs(file.name, words.value.plot.number(file.size / 1e6))}</span>
        <Button look="quiet" text={t.noFile} onClick={() => onFile(null)} />
      </p>
    );
  }
  return (
    <label class="field file-field">
      <span>
        {t.file} <small>{t.fileHint}</small>
      </span>
      <input type="file" onChange={({ currentTarget }) => onFile(currentTarget.files?.[0] ?? null)} />
    </label>
  );
}

/** A check mark for each kind whose bit is in `among`; where none is left, all are chosen. */
export function KindChoice({ kinds, among = ALL }: { kinds: Signal<number>; among?: number }) {
  const t = compareWords.value;
  return (
    <fieldset class="kinds">
      <legend>{t.filters}</legend>
      {kindsOf(among).map((kind) => {
        const bit = 1 << KINDS.indexOf(kind);
        const isChosen = (kinds.value & bit) !== 0;
        return (
          <Toggle
            key={kind}
            label={t.fullNames[kind]}
            title={t.about[kind]}
            isOn={isChosen}
            onChange={() => (kinds.value = (kinds.value + (isChosen ? -bit : bit)) & among || among)}
          />
        );
      })}
    </fieldset>
  );
}

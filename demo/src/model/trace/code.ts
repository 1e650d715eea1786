// The operations as pseudocode, each line beside the line of the C++ core that it stands for.
// Invariant: every `cpp` is a line of the core's headers, word for word (a test compares them), and every step of an
// operation belongs to one line of it. The words of a line are in `i18n`.
import type { Words } from '../../i18n';
import type { OperationName } from '../../core/engine';
import type { Step } from './steps';

export interface CodeLine {
  readonly id: LineId;
  /** Its words, where they are not those of its name. */
  readonly told?: OtherWords;
  readonly cpp: string;
  /** Steps to the right: 1 inside the loop. */
  readonly depth: 0 | 1;
}

/** Words of a line that has others in some operation. */
type OtherWords = 'kickRandom' | 'readBoth' | 'nothing';
export type LineId = Exclude<keyof Words['code']['lines'], OtherWords>;

const line = (id: LineId, cpp: string, depth: 0 | 1 = 0): CodeLine => ({ id, depth, cpp });

const LOCATE: readonly CodeLine[] = [
  line('locate', 'const std::uint64_t bucket = primary_bucket(hash, params.bucket_count);'),
  line(
    'alternate',
    'const std::uint64_t other = alternate_bucket(bucket, fingerprint, params.addressing, params.bucket_count);',
  ),
];
const INSERT: readonly CodeLine[] = [
  ...LOCATE,
  line(
    'home',
    'if (buckets.insert(at.primary) || buckets.insert(at.alternate)) return {InsertOutcome::inserted};',
  ),
  line('copies', 'if (is_filled_with_alike(buckets, params, at)) return {InsertOutcome::too_many_copies};'),
  line(
    'ahead',
    'last_ = choose_kick(*this, params_, end_.bucket, draw_ = choice_.next_draw(), tried_++);',
    1,
  ),
  line('kick', 'kicks_[size_++] = {end_.bucket, last_.slot, last_.victim, end_.entry};', 1),
  line('undo', 'if (!path.plan(at)) return {InsertOutcome::full, path.tried()};'),
  line('land', 'const bool is_in = buckets.insert(path.end());'),
];
const CONTAINS: readonly CodeLine[] = [
  ...LOCATE,
  {
    ...line(
      'read',
      'return table.any_holds(at.primary.bucket, at.primary.entry, at.alternate.bucket, at.alternate.entry);',
    ),
    told: 'readBoth',
  },
  line('answer', 'return is_fixed_ ? holds(locate_fixed(hash, params_)) : contains_growable(hash);'),
];
const ERASE: readonly CodeLine[] = [
  ...LOCATE,
  line('read', 'const std::uint32_t slot = table.find(here.bucket, here.entry);'),
  line('take', 'table.set(here.bucket, slot, 0);'),
  {
    ...line(
      'answer',
      'bool erase_at(const Location& at) { return try_remove(at.primary) || try_remove(at.alternate); }',
    ),
    told: 'nothing',
  },
];
const CLEAR: readonly CodeLine[] = [line('reset', 'buckets_.clear();')];

/** Without looking ahead, a victim is drawn at random. */
const INSERT_RANDOM: readonly CodeLine[] = INSERT.filter(({ id }) => id !== 'ahead').map((each) =>
  each.id === 'kick' ? { ...each, told: 'kickRandom' } : each,
);

/** The lines of an operation, in order. */
export function codeOf(name: OperationName, lookAhead: boolean): readonly CodeLine[] {
  const insert = lookAhead ? INSERT : INSERT_RANDOM;
  return { insert, contains: CONTAINS, erase: ERASE, clear: CLEAR }[name];
}

/** The line that a step carries out. */
export function lineOf(step: Step): LineId {
  switch (step.kind) {
    case 'locate':
    case 'alternate':
    case 'kick':
    case 'undo':
    case 'reset':
    case 'ahead':
      return step.kind;
    case 'read':
      return { home: 'home', match: 'read', landing: 'land' }[step.reason] as LineId;
    case 'place':
      return step.event.kick === 0 ? 'home' : 'land';
    case 'remove':
      return 'take';
    case 'end':
      return lineOfEnd(step.event.name, step.event.result, step.event.kicks);
  }
}

function lineOfEnd(name: string, result: string | boolean, kicks: number): LineId {
  if (name === 'clear') return 'reset';
  if (typeof result === 'boolean') return name === 'erase' && result ? 'take' : 'answer';
  if (result === 'too-many-copies') return 'copies';
  if (result === 'full') return 'undo';
  return kicks === 0 ? 'home' : 'land';
}

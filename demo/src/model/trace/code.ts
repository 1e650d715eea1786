// The operations as pseudocode, each line beside the line of the C++ core that it stands for.
// Invariant: every `cpp` is a line of the core's headers, word for word (a test compares them), and every step of an
// operation belongs to one line of it. The words of a line are in `i18n`.
import type { Words } from '../../i18n';
import type { OperationName } from './state';
import type { Settings } from '../settings';
import type { Step } from './steps';

/** Words of a line that has others in some operation. */
type OtherWords = 'fullAfterSearch' | 'found' | 'move' | 'readBoth' | 'nothing';
export type LineId = Exclude<keyof Words['code']['lines'], OtherWords>;

/** `depth`: how far the line is indented, 1 inside a loop; `told`: the name of its words. */
function line(id: LineId, cpp: string, depth: 0 | 1 = 0, told: LineId | OtherWords = id) {
  return { id, told, cpp, depth };
}

const LOCATE = [
  line('locate', 'const std::uint64_t bucket = primary_bucket(hash, params.bucket_count);'),
  line(
    'alternate',
    'const std::uint64_t other = alternate_bucket(bucket, fingerprint, params.addressing, params.bucket_count);',
  ),
];
/** How an insert begins, whichever way it finds room. */
const HOMES = [
  ...LOCATE,
  line('home', 'const InsertOutcome outcome = table.store_directly(operation, at);'),
  line(
    'copies',
    'return (is_one_bucket ? in_primary | in_alternate : in_primary & in_alternate) == (1u << params.bucket_size) - 1;',
  ),
];
/** The paper's walk: a victim is drawn at random. */
const WALK = [
  ...HOMES,
  line('kick', 'kick.slot = table.set(here.bucket, slot, here.entry);'),
  line('land', 'return {InsertOutcome::inserted, kicks};', 1),
  line('full', 'return {InsertOutcome::full, kicks};'),
];
const SEARCH = [
  ...HOMES,
  line('look', 'if (leads_to_room(read_)) return true;'),
  line(
    'full',
    'return {is_filled_with_alike(table, params, at) ? InsertOutcome::too_many_copies : InsertOutcome::full};',
    0,
    'fullAfterSearch',
  ),
  line('land', 'if (make(table, search)) return {InsertOutcome::inserted, search.size()};', 0, 'found'),
  line(
    'kick',
    'path.each_kick([&](const Kick& kick) { return table.replace(kick.bucket, kick.victim, kick.incoming); });',
    1,
    'move',
  ),
];
const CONTAINS = [
  ...LOCATE,
  line(
    'read',
    'return table_.any_holds(at.primary.bucket, at.primary.entry, at.alternate.bucket, at.alternate.entry);',
    0,
    'readBoth',
  ),
  line('answer', 'return has_work() ? copies_of(at) != 0 : buckets_.holds(at);'),
];
const ERASE = [
  ...LOCATE,
  line('read', 'const std::uint32_t slot = table.find(here.bucket, here.entry);'),
  line('take', 'table.set(here.bucket, slot, 0);'),
  line(
    'answer',
    'bool erase_at(const Location& at) { return try_remove(at.primary) || try_remove(at.alternate); }',
    0,
    'nothing',
  ),
];
const CLEAR = [line('reset', 'buckets_.clear();')];

export function codeOf(name: OperationName, search: Settings['search']) {
  const insert = search === 'breadth-first' ? SEARCH : WALK;
  return { insert, contains: CONTAINS, erase: ERASE, clear: CLEAR }[name];
}

export function lineOf(step: Step): LineId {
  switch (step.kind) {
    case 'locate':
    case 'alternate':
    case 'look':
    case 'kick':
    case 'reset':
      return step.kind;
    case 'undo':
      return 'full';
    case 'found':
      return 'land';
    case 'move':
      return 'kick';
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
  if (result === 'full') return 'full';
  return kicks === 0 ? 'home' : 'land';
}

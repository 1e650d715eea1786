// Many keys, asked shard by shard.
// Invariant: keys before an invalid one are asked, and the answers for some keys are reported whatever happens to the
// others. After a failure, an abort or an error of the caller's code no more keys are asked.
import { check } from '../src/errors.js';
import { readOptions } from '../src/options/read.js';
import type { Bytes } from '../src/engine/bytes.js';
import { checkKeys, hasLength, type Keys } from '../src/keys/keys.js';
import { carrying } from '../src/keys/carrying.js';
import { checkedSignal, type AsyncOptions } from '../src/keys/signals.js';
import type { Changed } from './shard/changes.js';
import { OUTCOMES, RedisBatchError, REFUSED, type KeyOutcome } from './errors.js';
import type { Hasher } from './hasher.js';
import { messageOf } from './server/server-errors.js';
import { place, shardOf, WORDS, type Places } from './shard/places.js';

/** For calls with many keys. */
export interface BatchOptions extends AsyncOptions {
  /**
   * Called after each answer of the server, with the number of keys answered so far. If it throws, the batch ends with
   * that error.
   */
  readonly onProgress?: ((answered: number) => void) | undefined;
}

/** Handles the keys of one shard, given the `words` that `place` made for them. Returns a number for each key. */
export interface Asking {
  readonly ask: (shard: number, words: Uint32Array, signal: AbortSignal | undefined) => Promise<Changed>;
  /**
   * Whether the keys of a shard are asked in order, one command after the other: a key that is put off is then added before its
   * duplicates are asked about, which would be called new.
   */
  readonly inOrder: boolean;
  /** What became of a key with this number. */
  readonly outcomeOf: (answer: number) => KeyOutcome;
}

/** Keys of one shard, and where they stand in the batch. Small at first, because there may be many shards. */
class Run {
  words = new Uint32Array(16 * WORDS);
  readonly indices: number[] = [];

  /** Room for the words of one more key. */
  roomFor(index: number): Uint32Array {
    const end = WORDS * this.indices.push(index);
    if (end > this.words.length) {
      const words = new Uint32Array(2 * this.words.length);
      words.set(this.words);
      this.words = words;
    }
    return this.words;
  }
}

/**
 * How many commands are sent at once: few, because Redis handles all commands that one connection has sent before it
 * turns to the next connection.
 */
const AT_ONCE = 4;

/** For changes: the numbers are those of OUTCOMES. */
export function changedOutcome(answer: number): KeyOutcome {
  return OUTCOMES[answer] as KeyOutcome;
}

/**
 * What `ask` returns for every key, asked in runs of at most `most` keys. If an answer does not come, throws
 * RedisBatchError with the outcomes that `outcomeOf` makes from the numbers. Errors from the keys or their iterator
 * carry `outcomes`, too.
 */
export async function askMany(
  places: Places,
  hasher: Hasher,
  keys: Keys,
  most: number,
  options: BatchOptions,
  { ask, inOrder, outcomeOf }: Asking,
): Promise<Bytes> {
  const { onProgress, signal: given } = readOptions<BatchOptions>(options, ['onProgress', 'signal']);
  const signal = checkedSignal(given);
  check('onProgress', 'a function', onProgress, ['undefined', 'function'].includes(typeof onProgress));
  checkKeys(keys);
  const length = hasLength(keys) ? keys.length : 0;
  let answers = longer(new Uint8Array());
  const runs: (Run | undefined)[] = [];
  /** Each asks one run after the other. */
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  let failure: { cause: unknown } | undefined;
  /** What the caller's own code threw, or the error for an invalid key. */
  let wrong: { error: unknown } | undefined;
  let isOver = false;
  let started = 0;
  let answered = 0;
  /** Calls `act`. If it throws, the batch ends with that error. */
  const guarded = (act: () => void): void => {
    try {
      if (!isOver) act();
    } catch (error) {
      wrong ??= { error };
      isOver = true;
    }
  };
  const goesOn = (): boolean => {
    guarded(() => signal?.throwIfAborted());
    return !isOver;
  };
  const fail = (cause: unknown): void => {
    // What the caller gave up is no failure of the server.
    if (signal?.aborted && cause === signal.reason) wrong ??= { error: cause };
    else failure ??= { cause };
    isOver = true;
  };
  const start = (shard: number): void => {
    const { words, indices } = runs[shard] as Run;
    runs[shard] = undefined;
    const lane = (inOrder ? shard : started++) % AT_ONCE;
    const asking = async (): Promise<void> => {
      if (!goesOn()) return;
      const given = await ask(shard, words.subarray(0, WORDS * indices.length), signal);
      for (let i = 0; i < indices.length; ++i) {
        const answer = given.outcomes[i] as number;
        answers[indices[i] as number] = answer;
        answered += Number(answer < REFUSED);
      }
      if (given.failure === undefined) guarded(() => onProgress?.(answered));
      else fail(given.failure.cause);
    };
    lanes[lane] = (lanes[lane] as Promise<void>).then(asking).catch(fail);
  };
  let index = 0;
  /** Keys that have left their iterator. */
  let pulled = 0;
  const take = (low: number, high: number): void => {
    const shard = shardOf(low, high, places.shards);
    const run = (runs[shard] ??= new Run());
    const at = WORDS * run.indices.length;
    place(places, low, high, run.roomFor(index++), at);
    if (index > answers.length) answers = longer(answers);
    if (run.indices.length === most) start(shard);
  };
  const rest = async (): Promise<boolean> => {
    await Promise.all(lanes);
    return goesOn();
  };
  try {
    if (goesOn()) await hasher.takeAll(keys, (count) => (pulled += count), take, rest);
  } catch (error) {
    wrong ??= { error };
  }
  runs.forEach((run, shard) => run !== undefined && start(shard));
  await Promise.all(lanes);
  answers = answers.slice(0, index);
  if (failure === undefined && wrong === undefined) return answers;
  const outcomes = Array.from({ length: Math.max(length, pulled) }, (_, i) =>
    outcomeOf(answers[i] ?? REFUSED),
  );
  if (failure === undefined) throw carrying(wrong?.error, 'outcomes', outcomes);
  const { cause } = failure;
  const all = length > 0 ? ` of ${length}` : '';
  const message = `the server answered for ${answered}${all} keys: ${messageOf(cause)}`;
  throw new RedisBatchError(message, outcomes, cause);
}

function longer(answers: Uint8Array): Bytes {
  const more = new Uint8Array(2 * answers.length + 64).fill(REFUSED);
  more.set(answers);
  return more;
}

// Many keys, asked shard by shard.
// Invariant: keys before an invalid one are asked, and the answers for some keys are reported whatever happens to the
// others. After a failure, an abort or an error of the caller's code no more keys are asked.
import { atKey } from '../src/basic-errors.js';
import { readOptions } from '../src/options/read.js';
import { FUNCTION } from '../src/options/rules.js';
import type { Bytes } from '../src/engine/bytes.js';
import { check } from '../src/errors.js';
import { checkKeys, hasLength, type Keys } from '../src/keys/keys.js';
import type { Key } from '../src/keys/key.js';
import { checkedSignal, SIGNAL, type AsyncOptions } from '../src/keys/signals.js';
import { end, type Thrown } from '../src/keys/thrown.js';
import { errorWith, outcomeOf, RedisBatchError, REFUSED, type KeyOutcome } from './errors.js';
import { AT_ONCE } from './server/line.js';
import { messageOf } from './server/server-errors.js';
import type { Calls } from './shard/calls.js';
import { LOOK_UP, place, WORDS, type Action, type Places } from './shard/places.js';

/** For calls that change keys. */
export interface ChangeOptions extends AsyncOptions {
  /**
   * An array that is filled with what became of each key, however the call ends. For calls that end with an error of
   * your own, such as the signal's reason, which gets no `outcomes`.
   */
  readonly outcomes?: KeyOutcome[] | undefined;
}

/** The options of calls that change keys. */
export const CHANGE_OPTIONS = { outcomes: undefined, ...SIGNAL };

/** Fills the array that the caller gave. */
export function tellOutcomes(given: KeyOutcome[] | undefined, outcomes: readonly KeyOutcome[]): void {
  if (given === undefined) return;
  check('outcomes', 'an array', given, Array.isArray(given));
  given.length = 0;
  for (const outcome of outcomes) given.push(outcome);
}

/** For calls with many keys. */
export interface BatchOptions extends ChangeOptions {
  /**
   * Called after each answer of the server, with the number of keys answered so far. If it throws, the batch ends with
   * that error.
   */
  readonly onProgress?: ((answered: number) => void) | undefined;
}

/** Keys of one shard, by their words, and where they stand in the batch. */
type Run = { readonly words: number[]; readonly indices: number[] };

/** After so many keys, those that were asked are waited for. */
const CHUNK = 1000;

/**
 * The answer for every key, by the `calls` of the shards. If one does not come, throws RedisBatchError with the outcomes.
 * An InvalidKeyError carries `outcomes`, too. What the caller's own code throws is thrown as it is.
 */
export async function askMany(
  places: Places,
  calls: readonly Calls[],
  action: Action,
  keys: Keys,
  options: BatchOptions,
): Promise<Bytes> {
  const given = readOptions<BatchOptions>(options, { onProgress: FUNCTION, ...CHANGE_OPTIONS });
  const { onProgress, outcomes: told } = given;
  const signal = checkedSignal(given.signal);
  checkKeys(keys);
  tellOutcomes(told, []);
  const length = hasLength(keys) ? keys.length : 0;
  const answers: number[] = [];
  const runs: (Run | undefined)[] = [];
  /** Each asks one run after the other. */
  const lanes: Promise<void>[] = [];
  let failure: { cause: unknown } | undefined;
  /** What the caller's own code threw, or the reason of the signal, if that ended the batch. */
  let thrown: Thrown | undefined;
  /** The error for an invalid key. */
  let invalid: Thrown | undefined;
  let isOver = false;
  let [started, answered, pulled] = [0, 0, 0];
  const stop = (error: unknown): void => {
    if (failure === undefined) thrown ??= { error };
    isOver = true;
  };
  const ask = async (shard: number, { words, indices }: Run): Promise<void> => {
    if (signal?.aborted) stop(signal.reason);
    if (isOver) return;
    const answer = await (calls[shard] as Calls).ask(words, signal);
    indices.forEach((index, i) => (answers[index] = answer.answers[i] as number));
    answered += answer.answers.filter((each) => each < REFUSED).length;
    try {
      if (answer.failure === undefined && !isOver) onProgress?.(answered);
    } catch (error) {
      stop(error);
    }
    if (answer.failure === undefined) return;
    // What the caller gave up is no failure of the server.
    if (signal?.aborted && answer.failure.cause === signal.reason) stop(signal.reason);
    else failure ??= answer.failure;
    isOver = true;
  };
  const start = (shard: number, run: Run): void => {
    runs[shard] = undefined;
    // A shard gets its changes one command after the other. Otherwise, if the server puts a key off, duplicates of it would
    // arrive before it is added, and count as new.
    const lane = (action === LOOK_UP ? started++ : shard) % AT_ONCE;
    lanes[lane] = lanes[lane]?.then(() => ask(shard, run)) ?? ask(shard, run);
  };

  const words = new Uint32Array(WORDS);
  let isAsked = true;
  try {
    signal?.throwIfAborted();
    // Of a typed array, the numbers are the keys, even if it iterates in another way.
    const each = ArrayBuffer.isView(keys) ? Array.prototype.values.call(keys) : keys;
    for (const key of each as Iterable<Key>) {
      ++pulled;
      isAsked = false;
      const shard = place(places, key, action, words);
      const run = (runs[shard] ??= { words: [], indices: [] });
      run.words.push(...words);
      if (run.indices.push(answers.push(REFUSED) - 1) === (calls[shard] as Calls).most) start(shard, run);
      isAsked = true;
      if (pulled % CHUNK > 0) continue;
      await Promise.all(lanes);
      if (isOver) break;
    }
  } catch (error) {
    // The keys before are asked all the same.
    if (!isAsked) invalid = { error: atKey(answers.length, error) };
    else if (failure === undefined) thrown ??= { error };
  }
  runs.forEach((run, shard) => run !== undefined && start(shard, run));
  await Promise.all(lanes);
  const isDone = thrown === undefined && failure === undefined && invalid === undefined;
  if (isDone && told === undefined) return Uint8Array.from(answers);
  const outcomes = Array.from({ length: Math.max(length, pulled) }, (_, i) => {
    const answer = answers[i] ?? REFUSED;
    // Lookups change nothing, so an answered one is `nothing`.
    return action === LOOK_UP && answer < REFUSED ? 'nothing' : outcomeOf(answer);
  });
  tellOutcomes(told, outcomes);
  if (isDone) return Uint8Array.from(answers);
  end(thrown === undefined ? [] : [thrown]);
  if (failure === undefined) throw errorWith(invalid?.error, outcomes);
  const all = length > 0 ? ` of ${length}` : '';
  const message = `the server answered for ${answered}${all} keys: ${messageOf(failure.cause)}`;
  throw new RedisBatchError(message, outcomes, failure.cause);
}

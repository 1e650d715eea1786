// Many keys, asked shard by shard.
// Invariant: keys before an invalid one are asked, and the answers for some keys are reported whatever happens to the
// others. After a failure, an abort or an error of the caller's code no more keys are asked.
import { readOptions } from '../src/options/read.js';
import { FUNCTION } from '../src/options/rules.js';
import type { Bytes } from '../src/engine/bytes.js';
import { checkKeys, hasLength, type Keys } from '../src/keys/keys.js';
import { errorWith } from '../src/keys/error-with.js';
import { checkedSignal, SIGNAL, type AsyncOptions } from '../src/keys/signals.js';
import { RedisBatchError, REFUSED, type KeyOutcome } from './errors.js';
import { chunksOf, type Hasher } from './hasher.js';
import { messageOf } from './server/server-errors.js';
import type { Answered } from './shard/calls.js';
import { WORDS } from './shard/places.js';

/** For calls with many keys. */
export interface BatchOptions extends AsyncOptions {
  /**
   * Called after each answer of the server, with the number of keys answered so far. If it throws, the batch ends with
   * that error.
   */
  readonly onProgress?: ((answered: number) => void) | undefined;
}

/** How the keys of a batch are asked. */
export interface Asking {
  /** Asks a shard about the keys with these words. */
  readonly ask: (shard: number, words: Uint32Array, signal: AbortSignal | undefined) => Promise<Answered>;
  /** The most keys of a command. */
  readonly most: number;
  /**
   * Whether the keys of a shard are asked in order, one command after the other: a key that is put off is then added before its
   * duplicates are asked about, which would be called new.
   */
  readonly inOrder: boolean;
  /** What became of a key with this answer. */
  readonly outcomeOf: (answer: number) => KeyOutcome;
}

/** Keys of one shard, by their words, and where they stand in the batch. */
interface Run {
  readonly words: number[];
  readonly indices: number[];
}

/**
 * How many commands are sent at once: few, because Redis handles all commands that one connection has sent before it
 * turns to the next connection.
 */
const AT_ONCE = 4;

/**
 * The answer for every key. If one does not come, throws RedisBatchError with the outcomes that `outcomeOf` makes of the
 * answers. Errors from the keys or their iterator carry `outcomes`, too.
 */
export async function askMany(
  hasher: Hasher,
  keys: Keys,
  options: BatchOptions,
  { ask, most, inOrder, outcomeOf }: Asking,
): Promise<Bytes> {
  const { onProgress, signal: given } = readOptions<BatchOptions>(options, {
    onProgress: FUNCTION,
    ...SIGNAL,
  });
  const signal = checkedSignal(given);
  checkKeys(keys);
  const length = hasLength(keys) ? keys.length : 0;
  const answers: number[] = [];
  const runs: (Run | undefined)[] = [];
  /** Each asks one run after the other. */
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  let failure: { cause: unknown } | undefined;
  /** What the caller's own code threw, or the error for an invalid key. */
  let wrong: { error: unknown } | undefined;
  let isOver = false;
  let [started, answered, pulled] = [0, 0, 0];
  /** Whether the batch goes on after `act`, which may throw what the caller wants. */
  const goesOn = (act: () => void = () => signal?.throwIfAborted()): boolean => {
    try {
      if (!isOver) act();
    } catch (error) {
      wrong ??= { error };
      isOver = true;
    }
    return !isOver;
  };
  const fail = (cause: unknown): void => {
    isOver = true;
    // What the caller gave up is no failure of the server.
    if (signal?.aborted && cause === signal.reason) wrong ??= { error: cause };
    else failure ??= { cause };
  };
  const start = (shard: number, { words, indices }: Run): void => {
    runs[shard] = undefined;
    const lane = (inOrder ? shard : started++) % AT_ONCE;
    const asking = async (): Promise<void> => {
      if (!goesOn()) return;
      const told = await ask(shard, Uint32Array.from(words), signal);
      indices.forEach((index, i) => (answers[index] = told.answers[i] as number));
      answered += told.answers.filter((answer) => answer < REFUSED).length;
      if (told.failure === undefined) goesOn(() => onProgress?.(answered));
      else fail(told.failure.cause);
    };
    lanes[lane] = (lanes[lane] as Promise<void>).then(asking).catch(fail);
  };
  const place = new Uint32Array(WORDS);
  try {
    for (const chunk of goesOn() ? chunksOf(keys) : []) {
      pulled += chunk.length;
      for (const key of chunk) {
        const shard = hasher.locate(key, place, answers.length);
        const run = (runs[shard] ??= { words: [], indices: [] });
        run.words.push(...place);
        if (run.indices.push(answers.push(REFUSED) - 1) === most) start(shard, run);
      }
      await Promise.all(lanes);
      if (!goesOn()) break;
    }
  } catch (error) {
    wrong ??= { error };
  }
  runs.forEach((run, shard) => run !== undefined && start(shard, run));
  await Promise.all(lanes);
  if (failure === undefined && wrong === undefined) return Uint8Array.from(answers);
  const outcomes = Array.from({ length: Math.max(length, pulled) }, (_, i) =>
    outcomeOf(answers[i] ?? REFUSED),
  );
  if (failure === undefined) throw errorWith(wrong?.error, 'outcomes', outcomes);
  const { cause } = failure;
  const all = length > 0 ? ` of ${length}` : '';
  const message = `the server answered for ${answered}${all} keys: ${messageOf(cause)}`;
  throw new RedisBatchError(message, outcomes, cause);
}

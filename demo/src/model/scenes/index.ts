// The tasks of each scene that plays on a table: the prediction first, then the transfer question.
import type { SceneId } from '../places';
import { triedInTurn } from '../../core/filling';
import { homes, lookup } from './first-steps';
import { fail, kick } from './kicks';
import { deadly, harmedBy, hunt } from './mistakes';
import type { Pair, Task, TaskMaker } from './task';

export { measureOf } from './measures';

const MAKERS: Partial<Readonly<Record<SceneId, readonly [TaskMaker, TaskMaker]>>> = {
  homes,
  lookup,
  kick,
  fail,
  hunt,
  delete: deadly,
};

/** Rounds tried until one makes a task: a table without the wanted key is passed over. */
const MOST_ROUNDS = 40;
/** Between a round and the next one tried, so that neighbours stay different. */
const ROUND_STEP = 10_000;

/**
 * The task of a scene's `round`; null for the scenes that measure instead. The same round gives the same task. The
 * first question about a delete is about the `pair`.
 */
export function taskOf(scene: SceneId, part: 0 | 1, round: number, pair: Pair | null = null): Task | null {
  const maker = pair && scene === 'delete' && part === 0 ? harmedBy(pair) : MAKERS[scene]?.[part];
  if (maker === undefined) return null;
  const roundAt = (i: number): number => round + i * ROUND_STEP;
  return triedInTurn(
    (i) => maker.settings(roundAt(i)),
    (trial, i) => ({ settings: trial.session.settings, ...maker.make(trial, roundAt(i)) }),
    MOST_ROUNDS,
  );
}

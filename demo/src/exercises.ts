// Exercises away from the stage: a table, a question about what the filter will do with it, and the answer.
// Invariant: tables and answers come from the core, for a seed; the same seed gives the same exercises.
import { opened } from './filling';
import { isScene, type SceneId } from './model/places';
import { taskOf } from './model/scenes';
import type { Task, Value } from './model/scenes/task';
import { next } from './model/session';
import type { TableState } from './model/state';

export interface Exercise {
  readonly scene: SceneId;
  readonly round: number;
  readonly task: Task;
  readonly state: TableState;
  readonly answer: Value;
}

/** Scenes whose questions can be asked on paper. */
export const ASKING = [
  'homes',
  'lookup',
  'kick',
  'graph',
  'fail',
  'delete',
  'copies',
] as const satisfies readonly SceneId[];
/** `count` exercises of a scene, or of all in turn. */
export function exercises(scene: string, seed: number, count: number): Exercise[] {
  const scenes = isScene(scene) ? [scene] : ASKING;
  return Array.from({ length: count }, (_, i) => {
    const each = scenes[i % scenes.length] ?? 'kick';
    const round = seed + Math.floor(i / scenes.length);
    const task = taskOf(each, 0, round);
    if (task === null) throw new Error(`the scene ${each} asks nothing`);
    const { engine, session } = opened(task.settings);
    const done = task.run.reduce(
      (before, { name, key }) => next(before, { type: 'ran', key, events: engine.run(name, key) }),
      session,
    );
    engine.dispose();
    return { scene: each, round, task, state: session.place.state, answer: task.answer(done) };
  });
}

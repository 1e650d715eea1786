// Exercises away from the stage: a table, a question about what the filter will do with it, and the answer.
// Invariant: tables and answers come from the core, for a seed; the same seed gives the same exercises.
import { tried } from './filling';
import { birds } from '../i18n';
import { isScene, type SceneId } from '../model/places';
import { taskOf } from '../model/scenes';
import type { Task } from '../model/scenes/task';
import { eventsOf, next, type Session } from '../model/trace/session';
import { ofKind } from '../model/trace/state';

/** Scenes whose questions can be asked on paper. */
export const ASKING = ['homes', 'lookup', 'kick', 'fail', 'delete'] as const satisfies readonly SceneId[];

/** The table of a task, before and after its operations. */
export function played(task: Task): { readonly before: Session; readonly done: Session } {
  return tried(task.settings, ({ engine, session }) => ({
    before: session,
    done: task.run.reduce(
      (now, { name, key }) => next(now, { type: 'ran', key, events: engine.run(name, key) }),
      session,
    ),
  }));
}

/**
 * `count` exercises of a scene, or of all in turn, with what a sheet must print beside the question, so that they can be solved
 * without the page.
 */
export function exercises(scene: string, seed: number, count: number) {
  const scenes = isScene(scene) ? [scene] : ASKING;
  return Array.from({ length: count }, (_, i) => {
    const each = scenes[i % scenes.length] ?? 'kick';
    const round = seed + Math.floor(i / scenes.length);
    // In two rounds of five, the second question: about a key that is there, or about a delete that harms nobody.
    const part: 0 | 1 = (each === 'lookup' || each === 'delete') && (round % 5) % 3 === 1 ? 1 : 0;
    const task = taskOf(each, part, birds(round));
    if (task === null) throw new Error(`the scene ${each} asks nothing`);
    const { before, done } = played(task);
    /** Whose each fingerprint is; the filter does not know. */
    const owners = each === 'fail' || each === 'delete' ? done.notebook : null;
    const kicked = each === 'fail' ? ofKind(eventsOf(done, 0), 'kick') : [];
    /** Which slots the filter's kicks fall on, in order, as `bucket.slot`. */
    const kicks = kicked.map(({ bucket, slot }) => `${bucket}.${slot}`);
    // A sheet asks for the name of the key that is lost, because it is hardly ever the new one.
    const answer = task.found?.(done)['lost'] ?? task.answer(done);
    return { scene: each, part, round, task, answer, owners, kicks, state: before.place.state };
  });
}

export type Exercise = ReturnType<typeof exercises>[number];

// Where a fingerprint may live, and how a key is found.
import { openSum } from '../picture/bits';
import { hex } from '../picture/chip';
import { DEFAULTS, type Settings } from '../settings';
import { endOf, eventsOf, first, homesOf, ofKind } from './read';
import type { TaskMaker } from './task';

const SMALL: Settings = { ...DEFAULTS, samplePercent: 30 };

/** The alternate bucket of a key. */
function otherHomeOf(bucketCount: number): TaskMaker {
  return {
    settings: (round) => ({
      ...SMALL,
      bucketCount,
      bucketSize: 2,
      samplePercent: 0,
      seed: DEFAULTS.seed + round,
    }),
    make: (trial) => {
      // A sum that can be guessed teaches nothing.
      const isPlain = (key: string): boolean => {
        const { homesCoincide, offset, alternate } = first(trial.lookUp(key), 'locate');
        return !homesCoincide && offset !== 0 && alternate !== 0;
      };
      const key = trial.find(isPlain);
      const { fingerprint, primary, offset } = first(trial.lookUp(key), 'locate');
      return {
        // Whether the key is there is another scene's question.
        run: [{ name: 'contains', key, until: 'alternate' }],
        facts: {
          key,
          fingerprint: hex(fingerprint, SMALL.fingerprintBits),
          primary,
          offset,
          count: bucketCount,
          sum: openSum(primary, offset, bucketCount),
        },
        question: { kind: 'bucket', count: bucketCount },
        answer: (session) => first(eventsOf(session, 0), 'locate').alternate,
      };
    },
  };
}

/** Slots read by a lookup. */
function slotsRead(isPresent: boolean): TaskMaker {
  return {
    settings: (round) => ({ ...SMALL, samplePercent: 60, seed: DEFAULTS.seed + round }),
    make: (trial) => {
      const { state, notebook } = { state: trial.session.place.state, notebook: trial.session.notebook };
      const inSecondHome = state.slots.find(
        (slot, i) =>
          slot !== null &&
          Math.floor(i / state.shape.bucketSize) === slot.homes[1] &&
          slot.homes[0] !== slot.homes[1],
      );
      const present = notebook.get(inSecondHome?.owner ?? -1);
      if (present === undefined) throw new RangeError('no key lies in its second home');
      const isAbsent = (key: string): boolean =>
        endOf(trial.lookUp(key)).result === false && !first(trial.lookUp(key), 'locate').homesCoincide;
      const key = isPresent ? present : trial.find(isAbsent);
      return {
        run: [{ name: 'contains', key }],
        facts: { key, ...homesOf(trial.lookUp(key), SMALL.fingerprintBits) },
        question: { kind: 'number', least: 0, most: 4 * state.shape.bucketSize, step: 1 },
        answer: (session) => ofKind(eventsOf(session, 0), 'probe').length,
        found: (session) => ({ result: String(endOf(eventsOf(session, 0)).result) }),
      };
    },
  };
}

export const homes = [otherHomeOf(16), otherHomeOf(32)] as const;
export const lookup = [slotsRead(false), slotsRead(true)] as const;

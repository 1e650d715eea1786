// Where a fingerprint may live, and how a key is found.
import { hex, openSum } from '../picture/bits';
import { DEFAULTS, type Settings } from '../settings';
import { sampleFor } from '../../core/filling';
import { eventsOf, ownerName } from '../trace/session';
import { endOf, type EventOf, first, hasTwoHomes, ofKind } from '../trace/state';
import { homesOf, type TaskMaker } from './task';

const SMALL: Settings = { ...DEFAULTS, samplePercent: 30 };

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
      const locate = (key: string): EventOf<'locate'> => first(trial.engine.lookUp(key), 'locate');
      // A sum that can be guessed teaches nothing.
      const key = sampleFor(trial, (sample) => {
        const { homesCoincide, offset, alternate } = locate(sample);
        return !homesCoincide && offset !== 0 && alternate !== 0;
      });
      const { fingerprint, primary, offset } = locate(key);
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

function slotsRead(isPresent: boolean): TaskMaker {
  return {
    settings: (round) => ({ ...SMALL, samplePercent: 60, seed: DEFAULTS.seed + round }),
    make: (trial) => {
      const { engine, session: filled } = trial;
      const { state } = filled.place;
      const inSecondHome = state.slots.find(
        (slot, i) =>
          slot !== null &&
          Math.floor(i / state.shape.bucketSize) === slot.homes[1] &&
          slot.homes[0] !== slot.homes[1],
      );
      if (!inSecondHome) throw new RangeError('no key lies in its second home');
      const isAbsent = (key: string): boolean =>
        endOf(engine.lookUp(key)).result === false && hasTwoHomes(engine.lookUp(key));
      const key = isPresent ? ownerName(filled, inSecondHome.owner) : sampleFor(trial, isAbsent);
      return {
        run: [{ name: 'contains', key }],
        facts: { key, ...homesOf(engine.lookUp(key), SMALL.fingerprintBits) },
        question: { kind: 'number', least: 0, most: 4 * state.shape.bucketSize, step: 1 },
        answer: (session) => ofKind(eventsOf(session, 0), 'probe').length,
        found: (session) => ({ result: String(endOf(eventsOf(session, 0)).result) }),
      };
    },
  };
}

export const homes = [otherHomeOf(16), otherHomeOf(32)] as const;
export const lookup = [slotsRead(false), slotsRead(true)] as const;

// The kick path, and the insert that finds no room.
import { difference, hex, openSum } from '../picture/bits';
import { DEFAULTS, SEARCHES, type Settings } from '../settings';
import { sampleFor, type Trial } from '../../core/filling';
import { eventsOf, ownerName, stateAfterKicks, type Session } from '../trace/session';
import { endOf, first, hasTwoHomes, ofKind } from '../trace/state';
import { MOST_ARROWS } from '../trace/marks';
import { play } from '../trace/timeline';
import type { TaskMaker } from './task';

/** Never the page's first table, whose kick everyone has seen. */
function busy(round: number): Settings {
  return { ...DEFAULTS, maxKicks: 100, seed: DEFAULTS.seed + 205 + round };
}

/** What the first kick of an insert does, told before it happens, with the sum that its victim's way is. */
function firstKick(trial: Trial, key: string) {
  const { before, bucket, slot: at } = first(trial.engine.tryInsert(key), 'kick');
  const { place, settings } = trial.session;
  const owner = place.state.slots.find(
    (slot) => slot?.fingerprint === before && slot.homes.includes(bucket),
  )?.owner;
  const { offset } = first(trial.engine.lookUp(ownerName(trial.session, owner)), 'locate');
  const sum = openSum(bucket, offset, settings.bucketCount);
  return { key, fingerprint: hex(before, settings.fingerprintBits), bucket, slot: at, offset, sum };
}

/** More than one kick, and no more than the table has arrows for: each of a fingerprint that no other equals, to another bucket. */
function isPath(trial: Trial, key: string): boolean {
  const count = kicksOf(trial, key);
  if (count < 2 || count > MOST_ARROWS) return false;
  const { slots } = trial.session.place.state;
  return ofKind(trial.engine.tryInsert(key), 'kick').every(
    ({ before, bucket, otherBucket }) =>
      bucket !== otherBucket && slots.filter((stored) => stored?.fingerprint === before).length <= 1,
  );
}

function kicksOf(trial: Trial, key: string): number {
  const end = endOf(trial.engine.tryInsert(key));
  return end.result === 'added' ? end.kicks : 0;
}

/** Whether the first victim's other bucket is none of the new key's homes, where it would be taken for one of them. */
function leavesTheHomes(trial: Trial, key: string): boolean {
  const { primary, alternate } = first(trial.engine.lookUp(key), 'locate');
  const { otherBucket } = first(trial.engine.tryInsert(key), 'kick');
  return otherBucket !== primary && otherBucket !== alternate;
}

const destination: TaskMaker = {
  settings: busy,
  make: (trial) => {
    const key = sampleFor(
      trial,
      (sample) =>
        hasTwoHomes(trial.engine.lookUp(sample)) && isPath(trial, sample) && leavesTheHomes(trial, sample),
    );
    const facts = firstKick(trial, key);
    return {
      run: [{ name: 'insert', key }],
      facts,
      question: { kind: 'bucket', count: trial.session.settings.bucketCount },
      answer: (session) => first(eventsOf(session, 0), 'kick').otherBucket,
      found: (session) => ({ kicks: endOf(eventsOf(session, 0)).kicks }),
      missed: (guess) => ({ guess: Number(guess), needed: difference(facts.bucket, Number(guess)) }),
    };
  },
};

const endsThere: TaskMaker = {
  settings: (round) => busy(round + 500),
  make: (trial, round) => {
    const isWanted = (sample: string): boolean =>
      round % 2 === 1 ? kicksOf(trial, sample) === 1 : isPath(trial, sample);
    const key = sampleFor(trial, isWanted);
    return {
      run: [{ name: 'insert', key }],
      facts: firstKick(trial, key),
      question: { kind: 'choice', options: ['yes', 'no'] },
      answer: (session) => (first(eventsOf(session, 0), 'kick').hasRoom ? 'yes' : 'no'),
      found: (session) => ({
        kicks: endOf(eventsOf(session, 0)).kicks,
        to: first(eventsOf(session, 0), 'kick').otherBucket,
        slots: session.settings.bucketSize,
      }),
    };
  },
};

/** In the first of them, a key accepted before would be lost. */
const crowded = (round: number): Settings => ({
  ...DEFAULTS,
  bucketCount: 8,
  bucketSize: 2,
  maxKicks: 8,
  samplePercent: 94,
  seed: DEFAULTS.seed + 2 + round,
});

/** Whether there is no room for a key at all: this library's own search finds none either. */
function isRefused({ engine }: Trial, key: string): boolean {
  return SEARCHES.every((search) => endOf(engine.tryInsert(key, search)).result === 'full');
}

/** Tries before another table is taken: from each bucket of some, kicks lead to the last empty slots. */
const FEW_TRIES = 40;

/** Whose fingerprint is in hand when the kicks run out: the key that a filter without undo would lose. */
const lost: TaskMaker = {
  settings: crowded,
  make: (trial) => {
    const key = sampleFor(
      trial,
      (sample) => hasTwoHomes(trial.engine.lookUp(sample)) && isRefused(trial, sample),
      FEW_TRIES,
    );
    return {
      run: [{ name: 'insert', key }],
      facts: { key, kicks: trial.session.settings.maxKicks },
      question: { kind: 'choice', options: ['new', 'old', 'none'] },
      answer: (session) => (lostKey(session) === key ? 'new' : 'old'),
      found: (session) => ({ lost: lostKey(session) }),
    };
  },
};

function lostKey(session: Session): string {
  return ownerName(session, stateAfterKicks(session, 0).operation?.carried?.owner);
}

const kept: TaskMaker = {
  settings: (round) => crowded(round + 500),
  make: (trial) => {
    const key = sampleFor(trial, (sample) => isRefused(trial, sample), FEW_TRIES);
    const { place } = trial.session;
    const insert = { name: 'insert', key } as const;
    const keys = place.state.slots.flatMap((slot) =>
      slot === null ? [] : [ownerName(trial.session, slot.owner)],
    );
    const lookups = keys.map((stored) => ({ name: 'contains', key: stored }) as const);
    const [, ...answers] = trial.engine.tryAll([insert, ...lookups]).map((events) => endOf(events).result);
    return {
      // Without the lookups: after them, the table would show another key than the one in question.
      run: [insert],
      facts: { key, count: keys.length },
      question: { kind: 'number', least: 0, most: keys.length, step: 1 },
      answer: () => answers.filter((found) => found === true).length,
      found: (session) => {
        const { start } = session.timeline;
        const events = eventsOf(session, 0);
        return {
          changed: play(start, events).slots.filter((slot, i) => slot?.owner !== start.slots[i]?.owner)
            .length,
          undone: ofKind(events, 'undo').length,
        };
      },
    };
  },
};

export const kick = [destination, endsThere] as const;
export const fail = [lost, kept] as const;

// One kick path of names, for the first picture: a small table of birds, into which a name goes.
// Invariant: the core makes every move, by the paper's walk. Of the tables tried, the first is taken on which one or two
// names are kicked out, each into a bucket that no other enters, and all that move have colours of their own. The places
// of a bucket have no order: the new name is drawn in the left one, those kicked out in the right one, so that no arrow
// crosses another.
import { hueOf } from '../model/picture/bits';
import type { Cell } from '../model/picture/layout';
import { DEFAULTS, type Settings } from '../model/settings';
import { ownerName } from '../model/trace/session';
import { endOf, first, ofKind, storedAt } from '../model/trace/state';
import { seededFor, tried, type Trial } from './filling';

/** Two slots per bucket, so that names find room in them; nearly full. */
export const FILM: Settings = { ...DEFAULTS, bucketSize: 2, samplePercent: 80 };

/** A name in the table, as it ends. */
export interface Actor {
  readonly name: string;
  readonly fingerprint: number;
  readonly to: Cell;
  /** Where it was before. Absent if it is new or stays. */
  readonly from?: Cell | undefined;
}

/** `seed`: of the first table tried. */
export function filmOf(name: string, seed: number) {
  const settings = seededFor(FILM, name);
  for (let i = 0; ; ++i) {
    const film = tried({ ...settings, seed: seed + i }, (trial) => shot(trial, name));
    if (film !== null) return film;
  }
}

/** The cosine of 45 degrees: with less between them, two hues look alike. */
const LIKE = 0.7;

function shot({ engine, session }: Trial, name: string) {
  const { notebook, place: table } = session;
  const events = engine.tryInsert(name);
  const { result, kicks: count } = endOf(events);
  if (result !== 'added' || count < 1 || count > 2 || [...notebook.values()].includes(name)) return null;
  const ways = [...ofKind(events, 'kick'), first(events, 'place')];
  /** For each bucket that a name enters: whether its two places are drawn swapped. */
  const turned = new Map(ways.map(({ bucket, slot }, i) => [bucket, slot !== (i === 0 ? 0 : 1)]));
  if (turned.size < ways.length) return null;
  const drawn = ({ bucket, slot }: Cell): Cell => ({
    bucket,
    slot: turned.get(bucket) === true ? 1 - slot : slot,
  });
  const hues = ways.map(({ after }) => hueOf(after));
  if (
    hues.some((hue, i) => hues.slice(0, i).some((other) => Math.cos(((hue - other) * Math.PI) / 180) > LIKE))
  )
    return null;
  /** The new name, then each one kicked out, in order. */
  const moves = ways.map((to, i): Actor => {
    const from = ways[i - 1];
    return {
      name: from ? nameAt(from) : name,
      fingerprint: to.after,
      to: drawn(to),
      from: from && drawn(from),
    };
  });
  const stays = table.state.slots.flatMap((stored, i): Actor[] => {
    const to = { bucket: Math.floor(i / FILM.bucketSize), slot: i % FILM.bucketSize };
    if (stored === null || ways.some(({ bucket, slot }) => bucket === to.bucket && slot === to.slot))
      return [];
    return [{ name: nameAt(to), fingerprint: stored.fingerprint, to: drawn(to) }];
  });
  const { primary, alternate } = first(events, 'locate');
  /** Of the new name. */
  const homes = [primary, alternate] as const;
  return { stays, moves, homes };

  function nameAt({ bucket, slot }: Cell): string {
    return ownerName(session, storedAt(table.state, bucket, slot)?.owner);
  }
}

// The hash table as a row of frames: what the cuckoo hash table did, one picture after the other.
// Invariant: a frame is a value; stepping back shows the frame before. Everything in it was told by the table.

interface NameMove {
  readonly name: string;
  readonly slot: number;
  readonly replaces: string | null;
}

/** Two tables of names; slots of the second follow those of the first. */
export interface HashTable {
  slots(): (string | null)[];
  /** The slot of a name in each table, under the functions of now. */
  places(name: string): readonly [number, number];
  /** The moves, those taken back too, if it found no empty slot. */
  insert(name: string): { readonly isIn: boolean; readonly moves: readonly NameMove[] };
  /** Draws other functions until all names fit, this one too. False if none was found. */
  rehash(name: string): boolean;
}

export interface Frame {
  readonly slots: readonly (string | null)[];
  /** The name that is on its way: new, or thrown out. */
  readonly hand: string | null;
  /** The slot that it was thrown out of; null: it is new. */
  readonly from: number | null;
  /** The places of each name, under the functions of then. */
  readonly places: ReadonlyMap<string, readonly [number, number]>;
  readonly told: Told;
}

export type Told =
  | { readonly kind: 'start' }
  | { readonly kind: 'places' | 'known' | 'stuck'; readonly name: string }
  | { readonly kind: 'placed'; readonly name: string; readonly slot: number }
  | { readonly kind: 'thrown'; readonly name: string; readonly slot: number; readonly out: string }
  | { readonly kind: 'loop'; readonly name: string; readonly moves: number }
  | { readonly kind: 'rehash'; readonly names: number };

/** Moves of a walk, after which it is taken for a loop. */
export const MOST_MOVES = 12;

const STILL = { hand: null, from: null } as const;

export function firstFrame(table: HashTable): Frame {
  const slots = table.slots();
  return { ...STILL, slots, places: placesOf(table, slots), told: { kind: 'start' } };
}

/** The frames of putting a name in, after `last`. */
export function insertFrames(table: HashTable, last: Frame, name: string): Frame[] {
  if (last.slots.includes(name)) return [{ ...last, ...STILL, told: { kind: 'known', name } }];
  const places = new Map(last.places).set(name, table.places(name));
  const before = { ...STILL, slots: last.slots, hand: name, places };
  const frames: Frame[] = [{ ...before, told: { kind: 'places', name } }];
  const { isIn, moves } = table.insert(name);
  // A walk that failed is taken back move by move: that is told in one frame.
  const forward = isIn ? moves : moves.slice(0, moves.length / 2);
  let { slots } = last;
  for (const { name: moved, slot, replaces: out } of forward) {
    slots = slots.with(slot, moved);
    if (out === null) frames.push({ ...STILL, slots, places, told: { kind: 'placed', name: moved, slot } });
    else
      frames.push({ slots, hand: out, from: slot, places, told: { kind: 'thrown', name: moved, slot, out } });
  }
  if (isIn) return frames;
  frames.push({ ...before, told: { kind: 'loop', name, moves: forward.length } });
  if (!table.rehash(name)) return [...frames, { ...before, told: { kind: 'stuck', name } }];
  const after = firstFrame(table);
  const names = after.slots.filter((each) => each !== null).length;
  return [...frames, { ...after, told: { kind: 'rehash', names } }];
}

function placesOf(table: HashTable, slots: readonly (string | null)[]): Frame['places'] {
  return new Map(slots.flatMap((name) => (name === null ? [] : [[name, table.places(name)] as const])));
}

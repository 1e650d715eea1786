// The places of the page, in the order of its navigation.
// Invariant: a scene's number is its position, from 1.

export const SCENES = [
  'print',
  'homes',
  'lookup',
  'kick',
  'graph',
  'fail',
  'hunt',
  'delete',
  'copies',
  'race',
  'length',
  'space',
  'sorting',
  'bloom',
  'growing',
  'better',
] as const;

export type SceneId = (typeof SCENES)[number];

/** The rooms beside the scenes; `names` stands before the first of them, as scene 0. */
export const ROOMS = ['start', 'names', 'lab', 'compare', 'file', 'be', 'teach', 'quiz'] as const;

/** The parts of the lab. */
export const LAB = ['lab', 'compare', 'file'] as const;

export type RoomId = (typeof ROOMS)[number];
export type PlaceId = SceneId | RoomId;

/** The way through all scenes: a place's number is its position, from 0. */
export const TOUR = ['names', ...SCENES] as const;

/** The same in four acts: the idea, the moves, what goes wrong, what it costs. */
export const ACTS = [
  ['names', 'print', 'homes', 'lookup'],
  ['kick', 'graph'],
  ['fail', 'hunt', 'delete', 'copies'],
  ['race', 'length', 'space', 'sorting', 'bloom', 'growing', 'better'],
] as const satisfies readonly (readonly (typeof TOUR)[number][])[];

/** The scenes without a table to step through. */
const MEASURING: readonly SceneId[] = ['race', 'length', 'space', 'sorting', 'bloom', 'growing'];

export function isInTour(place: PlaceId): place is (typeof TOUR)[number] {
  return (TOUR as readonly PlaceId[]).includes(place);
}

export function isInLab(place: PlaceId): place is (typeof LAB)[number] {
  return (LAB as readonly PlaceId[]).includes(place);
}

/** The places with a table that can fill the window. */
export function isPresented(place: PlaceId): boolean {
  return place === 'start' || place === 'lab' || (isScene(place) && !MEASURING.includes(place));
}

export function isScene(text: string): text is SceneId {
  return (SCENES as readonly string[]).includes(text);
}

export function isPlace(text: string): text is PlaceId {
  return isScene(text) || (ROOMS as readonly string[]).includes(text);
}

// The places of the page, in the order of its navigation.
// Invariant: a scene's number is its position on the way, from 1.

/** The way through all scenes, which begins before the filter. */
export const TOUR = ['names', 'homes', 'lookup', 'kick', 'fail', 'hunt', 'delete', 'race', 'bits'] as const;

/** Those that ask and have a lesson: all but the first. */
export const SCENES = TOUR.slice(1) as readonly Exclude<(typeof TOUR)[number], 'names'>[];

export type SceneId = (typeof SCENES)[number];

export const ROOMS = ['start', 'names', 'lab', 'be', 'teach', 'end'] as const;

export type PlaceId = SceneId | (typeof ROOMS)[number];

/** The same in four acts: the idea, the moves, what goes wrong, what it costs. */
export const ACTS = [
  ['names', 'homes', 'lookup'],
  ['kick'],
  ['fail', 'hunt', 'delete'],
  ['race', 'bits'],
] as const satisfies readonly (readonly (typeof TOUR)[number][])[];

/** Ways through a talk, by its minutes, to what to remember; 0: through all scenes, to the game. */
export const COURSES: Readonly<Record<number, readonly PlaceId[]>> = {
  0: [...TOUR, 'be'],
  10: ['start', 'homes', 'kick', 'delete', 'end'],
  20: ['start', 'homes', 'lookup', 'kick', 'fail', 'hunt', 'bits', 'delete', 'end'],
};

export const MINUTES: Readonly<Record<number, readonly number[]>> = {
  10: [2, 2, 3, 2, 1],
  20: [2, 3, 2, 4, 2, 2, 2, 2, 1],
};

/** The place so many stops after `place` on a way; none before the first and after the last. */
export function stopOn(course: number, place: PlaceId, after: 1 | -1): PlaceId | undefined {
  const way = COURSES[course] ?? [];
  return way[way.indexOf(place) + after];
}

export function numberOf(place: PlaceId): number {
  return (TOUR as readonly PlaceId[]).indexOf(place) + 1;
}

export function isInTour(place: PlaceId): place is (typeof TOUR)[number] {
  return numberOf(place) > 0;
}

/** The places with a picture that can fill the window. */
export function isPresented(place: PlaceId): boolean {
  return place !== 'be' && place !== 'teach';
}

export function isScene(text: string): text is SceneId {
  return (SCENES as readonly string[]).includes(text);
}

export function isPlace(text: string): text is PlaceId {
  return isScene(text) || (ROOMS as readonly string[]).includes(text);
}

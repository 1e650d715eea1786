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
  'better',
] as const;

export type SceneId = (typeof SCENES)[number];

/** The rooms beside the scenes. */
export const ROOMS = ['start', 'lab', 'compare', 'be', 'teach', 'quiz'] as const;

export type RoomId = (typeof ROOMS)[number];
export type PlaceId = SceneId | RoomId;

export function isScene(text: string): text is SceneId {
  return (SCENES as readonly string[]).includes(text);
}

export function isPlace(text: string): text is PlaceId {
  return isScene(text) || (ROOMS as readonly string[]).includes(text);
}

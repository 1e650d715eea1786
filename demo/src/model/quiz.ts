// What a quiz before and after the scenes tells.
// Source: Hake, Interactive-engagement versus traditional methods, 1998, for the normalized gain.

export const HALVES = ['before', 'after'] as const;
export type Half = (typeof HALVES)[number];

/** Whether each answer was right; null: not taken. */
export type Quiz = Readonly<Record<Half, readonly boolean[] | null>>;

export function rightIn(answers: readonly boolean[] | null): number {
  return answers?.filter(Boolean).length ?? 0;
}

/** The part of what was wrong before that is right after; null if it is not known, or nothing was wrong. May be below 0. */
export function gainOf({ before, after }: Quiz): number | null {
  if (before === null || after === null || rightIn(before) === before.length) return null;
  return (rightIn(after) - rightIn(before)) / (before.length - rightIn(before));
}

/** A quiz from the text of `JSON.stringify`; a half that has not `count` answers was not taken. */
export function parsedQuiz(text: string | null, count: number): Quiz {
  const half = (value: unknown): readonly boolean[] | null =>
    Array.isArray(value) && value.length === count && value.every((each) => typeof each === 'boolean')
      ? value
      : null;
  try {
    const { before, after } = Object(JSON.parse(text ?? '{}')) as Readonly<Record<string, unknown>>;
    return { before: half(before), after: half(after) };
  } catch {
    return { before: null, after: null };
  }
}

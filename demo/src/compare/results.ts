// What the page knows of each filter that is compared.
// Invariant: results are values, made by `heard` from the worker's messages alone.
import type { Figures, Kind, Look, Message, Refusal } from './protocol';

export interface Result {
  readonly state: 'waiting' | 'running' | 'done' | 'refused';
  readonly refusal: Refusal | null;
  readonly figures: Figures;
  readonly look: Look | null;
  /** Lines that are false positives; null: not asked for. */
  readonly names: readonly string[] | null;
}

export type Results = Readonly<Partial<Record<Kind, Result>>>;

const WAITING: Result = { state: 'waiting', refusal: null, figures: {}, look: null, names: null };

export function waiting(kinds: readonly Kind[]): Results {
  return Object.fromEntries(kinds.map((kind) => [kind, WAITING]));
}

/** The results after a message; those of filters that are not compared stay away. */
export function heard(results: Results, message: Message): Results {
  switch (message.type) {
    case 'begin':
      return changed(results, message.kind, { state: 'running' });
    case 'figures':
      return changed(results, message.kind, {
        figures: { ...results[message.kind]?.figures, ...message.figures },
      });
    case 'end':
      return changed(results, message.kind, {
        state: message.refusal === null ? 'done' : 'refused',
        refusal: message.refusal,
      });
    case 'looks':
      return message.looks.reduce((all, look) => changed(all, look.kind, { look }), results);
    case 'names':
      return changed(results, message.kind, { names: message.names });
    default:
      return results;
  }
}

function changed(results: Results, kind: Kind, change: Partial<Result>): Results {
  const before = results[kind];
  return before === undefined ? results : { ...results, [kind]: { ...before, ...change } };
}

/** What a run that was stopped leaves: filters that were not finished wait again, and none can be looked into. */
export function stopped(results: Results): Results {
  return Object.fromEntries(
    Object.entries(results).map(([kind, result]) => [
      kind,
      result.state === 'running' ? { ...WAITING, figures: {} } : { ...result, look: null },
    ]),
  );
}

/** The bars of a row, in their order. */
export const BARS = ['bitsPerKey', 'rate', 'buildSpeed', 'lookupSpeed', 'eraseSpeed'] as const;
export type Bar = (typeof BARS)[number];

/** The bars of which a short one is a good one. */
const LESS: readonly Bar[] = ['bitsPerKey', 'rate'];

export function isLessBetter(bar: Bar): boolean {
  return LESS.includes(bar);
}

/** The length of a bar; undefined where it is not measured. */
export function barOf({ figures }: Result, bar: Bar): number | undefined {
  if (bar !== 'rate') return figures[bar];
  const { asked, found } = figures;
  return asked === undefined || found === undefined || asked === 0 ? undefined : found / asked;
}

/** The longest bar of a kind: the others are drawn as parts of it. */
export function longest(results: Results, bar: Bar): number {
  return Math.max(
    0,
    ...Object.values(results)
      .filter(({ state }) => state !== 'refused')
      .map((each) => barOf(each, bar) ?? 0),
  );
}

/** The filter with the least or the most of a figure, among those that are done. */
export function best(results: Results, bar: Bar): Kind | null {
  const isLess = isLessBetter(bar);
  const done = Object.entries(results).flatMap(([kind, result]) => {
    const value = barOf(result, bar);
    return result.state === 'done' && value !== undefined ? [[kind as Kind, value] as const] : [];
  });
  const sorted = done.sort(([, a], [, b]) => (isLess ? a - b : b - a));
  return sorted[0]?.[0] ?? null;
}

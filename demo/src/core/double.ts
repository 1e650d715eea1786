// Which other name a filter cannot tell from a given one.
// Invariant: the core answers. A filter that holds the one name alone finds another only if both have the same fingerprint
// and the same two homes.
import { createEngine } from './engine';
import { first } from '../model/scenes/read';
import { DEFAULTS } from '../model/settings';
import type { EventOf } from '../model/trace/state';

export interface Double {
  /** The other name. */
  readonly name: string;
  /** Fingerprint and homes of both. */
  readonly location: EventOf<'locate'>;
  /** All bits that the two names are mixed into. */
  readonly hashes: readonly [bigint, bigint];
  /** Where the one name's fingerprint lies. */
  readonly place: EventOf<'place'>;
  /** How many names were asked, and how many of them were found. */
  readonly tried: number;
  readonly found: number;
}

/** Names without an end, batch by batch. */
export type Batches = (index: number) => readonly string[];

/** Invisible characters that change no letter: direction marks, and places where a line may break. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The name in a text, the same however its accents were typed; empty if no character of it is visible. */
export function nameIn(text: string): string {
  const isSeen = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text);
  return isSeen ? text.replace(INVISIBLE, '').normalize().trim() : '';
}

/** The first of the names that the filter takes for `name`. */
export function doubleOf(name: string, batch: Batches): Double {
  const engine = createEngine(DEFAULTS);
  try {
    const events = engine.run('insert', name);
    const [location, place] = [first(events, 'locate'), first(events, 'place')];
    for (let [index, tried] = [0, 0]; ; ++index) {
      const names = batch(index).filter((other) => other.toLowerCase() !== name.toLowerCase());
      tried += names.length;
      const answers = engine.found(names);
      const other = names.find((_, i) => answers[i]);
      if (other !== undefined)
        return {
          ...{ name: other, location, place, tried, found: answers.filter(Boolean).length },
          hashes: [first(events, 'begin').hash, first(engine.run('contains', other), 'begin').hash],
        };
    }
  } finally {
    engine.dispose();
  }
}

// Which other name a filter cannot tell from a given one.
// Invariant: the core answers. A filter that holds the one name alone finds another only if both have the same fingerprint
// and the same two homes.
import { seededFor, tried } from './filling';
import { DEFAULTS } from '../model/settings';
import { type EventOf, first } from '../model/trace/state';

export interface Double {
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

/** The first of the names that the filter takes for `name`. */
export function doubleOf(name: string, batch: Batches): Double {
  return tried({ ...seededFor(DEFAULTS, name), samplePercent: 0 }, ({ engine }) => {
    const events = engine.run('insert', name);
    const [location, place] = [first(events, 'locate'), first(events, 'place')];
    for (let [index, asked] = [0, 0]; ; ++index) {
      const names = batch(index).filter((other) => other.toLowerCase() !== name.toLowerCase());
      asked += names.length;
      const answers = engine.found(names);
      const other = names.find((_, i) => answers[i]);
      if (other !== undefined)
        return {
          ...{ name: other, location, place, tried: asked, found: answers.filter(Boolean).length },
          hashes: [first(events, 'begin').hash, first(engine.lookUp(other), 'begin').hash],
        };
    }
  });
}

// Values of database drivers and dates of libraries that are given as keys or rows. Each kind is modelled by what it
// shares with the classes of such libraries, so that the tests need none of them.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, dedupe, type Key } from 'cuckoofilter-wasm';
import { thrownBy } from '../js/support/random';

/** As an ObjectId of MongoDB's bson, or a Decimal. */
class Identifier {
  readonly #text = '65a1b2c3d4e5f60718293a4b';
  toString(): string {
    return this.#text;
  }
}
class Row {
  readonly id = 1;
}

test.each([
  ['an ObjectId (mongoose#8423, js-data-mongodb#8)', new Identifier()],
  [
    'an integer of 64 bits (neo4j-javascript-driver#225)',
    Object.assign(new Identifier(), { low: 5, high: 0 }),
  ],
  ['a row of a class', new Row()],
  ['a row without a prototype, of node:sqlite (nodejs/node#54350)', Object.create(null) as object],
])('%s as a key is refused with what to pass', (_, value) => {
  const filter = new CuckooFilter({ capacity: 10 });
  const error = thrownBy(TypeError, () => filter.add(value as Key));
  expect(error).toMatchObject({ code: 'invalid-key' });
  expect(error.message).toMatch(
    /got an object: pass a property, String\(value\) of an ObjectId, or JSON\.stringify\(value\)$/,
  );
  expect(filter.size).toBe(0);
});

describe('dedupe of rows without the option key', () => {
  // events.on of Node yields the arguments of each event (nodejs/node#27994); mysql2 gives rows of a class.
  test.each([
    ['an array', ['a']],
    ['an object', new Row()],
    ['an object', Object.create(null)],
  ])('says that it is missing: %s', (kind, item) => {
    expect(() => [...dedupe([item as Key])]).toThrow(
      `item 0 is ${kind}: set key to a property name or a function`,
    );
  });

  test('works with it, whatever the prototype of a row', () => {
    const rows = [1, 2, 1].map((id) => Object.assign(Object.create(null) as { id: number }, { id }));
    expect([...dedupe(rows, { key: 'id' })]).toEqual(rows.slice(0, 2));
    expect([...dedupe([new Identifier(), new Identifier()], { key: String })]).toHaveLength(1);
  });
});

// The pseudocode of the demo: its lines of C++ are the core's, and every step of a trace belongs to a line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeOf, lineOf } from '../../../../demo/src/model/trace/code';
import { SCENES } from '../../../../demo/src/model/places';
import { taskOf } from '../../../../demo/src/model/scenes';
import { stepsOf } from '../../../../demo/src/model/trace/steps';
import { opened } from '../../../../demo/src/core/filling';

const core = [
  'entries/entries.h',
  'entries/location.h',
  'entries/closed_set.h',
  'entries/path.h',
  'entries/batch.h',
]
  .map((name) => readFileSync(join(__dirname, '../../../../cpp/include/cuckoo', name), 'utf8'))
  .join('\n');

test.each(['insert', 'contains', 'erase', 'clear'] as const)(
  'every line of %s is a line of the core',
  (name) => {
    for (const lookAhead of [false, true])
      for (const { cpp } of codeOf(name, lookAhead))
        expect(core.split('\n').map((line) => line.trim())).toContain(cpp);
  },
);

test('a table that kicks at random has no line on looking ahead', () => {
  const ids = (lookAhead: boolean): string[] => codeOf('insert', lookAhead).map(({ id, told }) => told ?? id);
  expect(ids(true)).toEqual(expect.arrayContaining(['ahead', 'kick']));
  expect(ids(false)).toEqual(
    ids(true).flatMap((id) => (id === 'ahead' ? [] : id === 'kick' ? 'kickRandom' : id)),
  );
});

test('every step of the scenes belongs to a line of its operation', () => {
  for (const scene of SCENES) {
    const task = taskOf(scene, 0, 0);
    if (task === null) continue;
    const { engine } = opened(task.settings);
    for (const { name, key } of [...task.run, { name: 'clear', key: '' } as const]) {
      const lines = codeOf(name, task.settings.lookAhead).map(({ id }) => id);
      for (const step of stepsOf(engine.run(name, key))) expect(lines).toContain(lineOf(step));
    }
    engine.dispose();
  }
});

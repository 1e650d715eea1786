// The pseudocode of the demo: its lines of C++ are the core's, and every step of a trace belongs to a line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeOf, lineOf } from '../../../../demo/src/model/trace/code';
import { SCENES } from '../../../../demo/src/model/places';
import { taskOf } from '../../../../demo/src/model/scenes';
import { stepsOf } from '../../../../demo/src/model/trace/steps';
import { SEARCHES } from '../../../../demo/src/model/settings';
import type { Settings } from '../../../../demo/src/model/settings';
import { opened } from '../../../../demo/src/core/filling';

const core = [
  'entries/entries.h',
  'entries/location.h',
  'entries/insert.h',
  'entries/search.h',
  'entries/traced.h',
  'entries/batch.h',
  'entries/pending.h',
]
  .map((name) => readFileSync(join(__dirname, '../../../../cpp/include/cuckoo/detail', name), 'utf8'))
  .join('\n');

test.each(['insert', 'contains', 'erase', 'clear'] as const)(
  'every line of %s is a line of the core',
  (name) => {
    for (const search of SEARCHES)
      for (const { cpp } of codeOf(name, search))
        expect(core.split('\n').map((line) => line.trim())).toContain(cpp);
  },
);

test('a table that kicks at random has no line on looks', () => {
  const ids = (search: Settings['search']): string[] => codeOf('insert', search).map(({ id }) => id);
  expect(ids('breadth-first')).toContain('look');
  expect(ids('random-walk')).not.toContain('look');
});

test.each(SEARCHES)('with %s, every step of the scenes belongs to a line of its operation', (search) => {
  for (const scene of SCENES) {
    const task = taskOf(scene, 0, 0);
    if (task === null) continue;
    const { engine } = opened({ ...task.settings, search });
    for (const { name, key } of [...task.run, { name: 'clear', key: '' } as const]) {
      const lines = codeOf(name, search).map(({ id }) => id);
      for (const step of stepsOf(engine.run(name, key))) expect(lines).toContain(lineOf(step));
    }
    engine.dispose();
  }
});

// One path through the demo as it is built for visitors; tests/js/demo has every place and exercise.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo/demo-page';

const demo = new DemoPage();

test('a key goes in, is found, and goes out', async () => {
  await demo.open();
  await demo.run('zebra 1', 'Insert');
  expect(await demo.caption()).toContain('“zebra 1” is in');
  await demo.run('zebra 1', 'Look up');
  expect(await demo.answer()).toBe('maybe');
  await demo.run('zebra 1', 'Delete');
  await demo.run('zebra 1', 'Look up');
  expect(await demo.answer()).toBe('never');
});

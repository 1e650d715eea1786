// What `npm run test:redis` tries for minutes, for a few seconds each; and the example, as it is run.
import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TIME_LIMIT } from './command';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

test('killed servers and processes, broken connections, a failover and a shard that moves lose no key', async () => {
  const program = join(ROOT, 'tests/redis/faults.mjs');
  // Its exit code says no more than its rows, which are to be seen if one is wrong.
  const { stdout } = await run(process.execPath, [program, '--short'], { timeout: 480_000 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const rows = stdout.trim().split('\n').slice(2);
  expect(rows.length).toBe(11);
  // Redis may lose what it had not sent to the replica that took over; docs/many-machines.md says so.
  const told = rows.filter((row) => !row.includes('its replica took over'));
  for (const row of told) expect(row).toMatch(/\| [\d,]{4,} \| [\d,]+ \| 0 \|$/);
}, 500_000);

test('the example asks the database only about names that may be taken', async () => {
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, 'js/examples/seen-server.mjs'), '--check'],
    TIME_LIMIT,
  );
  const [, queries] = /1000 requests, 500 names taken, (\d+) queries to the database/.exec(stdout) ?? [];
  expect(Number(queries)).toBeGreaterThanOrEqual(500);
  expect(Number(queries)).toBeLessThan(510);
});

// What `npm run test:redis` tries for minutes, for a few seconds each, in the long run; and the example, as it is run.
import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TIME_LIMIT } from '../../support/command';
import { IS_LONG } from '../../support/long';

const ROOT = join(__dirname, '../../../..');
const run = promisify(execFile);
/** The table of faults alone takes a minute. */
const whenLong = IS_LONG ? test : test.skip;

whenLong(
  'killed servers and processes, broken connections, a failover and a shard that moves lose no key',
  async () => {
    const program = join(ROOT, 'tests/redis/faults.mjs');
    // On a busy machine a server or a cluster may not be back in time: then it is tried again. A lost key is not.
    for (let attempt = 1; ; ++attempt) {
      // The rows say which one is wrong, the exit code does not: show them.
      const { stdout, stderr } = await run(process.execPath, [program, '--short'], {
        timeout: 900_000,
      }).catch((error: unknown) => error as { stdout: string; stderr: string });
      // After the server's version and the table's head.
      const rows = stdout.trim().split('\n').slice(4);
      // Redis may lose writes that had not reached the replica that took over (docs/inside/redis.md).
      const told = rows.filter((row) => !row.includes('its replica took over'));
      for (const row of told) expect(row).toMatch(/\| [\d,]{4,} \| [\d,]+ \| 0 \|$/);
      if (told.length === 14) break;
      console.warn(`attempt ${attempt} ended after ${rows.length} rows: ${stderr.slice(-1000)}`);
      expect(attempt).toBeLessThan(3);
    }
  },
  2_800_000,
);

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

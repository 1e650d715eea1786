// Counts what one process sends to the server, for metrics.
// Invariant: it changes no command, no answer and no error.
import type { Send } from './program/program.js';
import { textOf } from './program/answers.js';
import { codeOf, isForNow, isRefusal } from './program/server-errors.js';

/** Totals since `measured` was called. No number ever falls. */
export interface SendStats {
  /** Commands sent, and the milliseconds spent waiting for their answers. */
  readonly commands: number;
  readonly milliseconds: number;
  /** Commands that the server refused. The filter retries those that were refused only temporarily. */
  readonly refused: number;
  readonly retried: number;
  /** Commands that failed in another way, and may have been carried out. */
  readonly failed: number;
  /** Pieces of doublings that this process moved, and doublings that it completed. */
  readonly pieces: number;
  readonly doublings: number;
  /** Number of errors by their code; `other` counts those without one. */
  readonly errors: Readonly<Record<string, number>>;
}

/**
 * Wraps `send` to count what one or more filters send. `stats()` returns the counts so far.
 *
 * @example
 * const { send, stats } = measured(fromNodeRedis(client));
 * const seen = await RedisCuckooFilter.open({ send, name: 'seen', capacity: 1_000_000 });
 * stats().commands; // so far
 */
export function measured(send: Send): { readonly send: Send; readonly stats: () => SendStats } {
  const sums = { commands: 0, milliseconds: 0, refused: 0, retried: 0, failed: 0, pieces: 0, doublings: 0 };
  const errors: Record<string, number> = {};
  return {
    async send(command) {
      const begun = performance.now();
      ++sums.commands;
      try {
        const answer = await send(command);
        // After the keys, whose number comes third.
        if (command[3 + Number(command[2])] === 'move') {
          ++sums.pieces;
          sums.doublings += Number(textOf(answer) === 'moved');
        }
        return answer;
      } catch (error) {
        const code = codeOf(error) ?? 'other';
        errors[code] = (errors[code] ?? 0) + 1;
        if (isForNow(error)) ++sums.retried;
        if (isRefusal(error)) ++sums.refused;
        else ++sums.failed;
        throw error;
      } finally {
        sums.milliseconds += performance.now() - begun;
      }
    },
    stats: () => ({ ...sums, errors: { ...errors } }),
  };
}

// The answers that the server may give. Invariant: any other answer is an error, so that nothing counts as done that was
// not.
import { argumentError, shown } from '../../src/errors.js';
import { viewOf } from '../../src/engine/bytes.js';

/** The text of an answer, which may be bytes. */
function textOf(answer: unknown): string {
  const bytes = viewOf(answer);
  return bytes === undefined ? String(answer) : String.fromCharCode(...bytes);
}

/** Whether a connection within MULTI has taken the command for later. Other answers may have megabytes. */
const isQueued = (answer: unknown): boolean => textOf(viewOf(answer)?.subarray(0, 7) ?? answer) === 'QUEUED';

/** The text of an answer that must be as `expected`. Throws TypeError if it is not. */
export function textOfAnswer(expected: RegExp, answer: unknown): string {
  const text = textOf(answer);
  if (!expected.test(text)) throw notAnswered(answer);
  return text;
}

/** The bytes that the server answered. Throws TypeError if it answered none, or the client made text of them. */
export function bytesOfAnswer(answer: unknown): Uint8Array {
  const bytes = viewOf(answer);
  if (isQueued(answer)) throw notAnswered(answer);
  if (bytes !== undefined) return bytes;
  if (typeof answer !== 'string' || answer === '') throw notAnswered(answer);
  throw argumentError(
    'send returned text, which damages bytes. It must return Buffers, as fromNodeRedis and fromIoRedis do',
  );
}

/** The error for an answer that a server never gives. */
export function notAnswered(answer: unknown): Error {
  const what = isQueued(answer) ? 'QUEUED, as within MULTI' : shown(answer);
  return argumentError(`send returned ${what}. It must return the server's answer`);
}

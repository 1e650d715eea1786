// What the errors of a server mean, by their code: the first word of the message, which every client library keeps.
// Invariant: a command counts as refused only if its error says that it was not carried out. With any other error, above
// all a lost connection, it may have been.
import { FormatError } from '../../src/basic-errors.js';

/** Not carried out, and may be soon: the server starts, a slot or a master moves, or somebody's script runs for long. */
const LATER: readonly (string | undefined)[] = ['LOADING', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'BUSY'];

/** Not carried out. */
const REFUSED: typeof LATER = [
  ...LATER,
  // No memory, too few replicas, a replica that may not write, a disk that cannot be written.
  ...['OOM', 'NOREPLICAS', 'READONLY', 'MISCONF'],
  // Not allowed, or not logged in.
  ...['NOPERM', 'NOAUTH', 'WRONGPASS', 'DENIED'],
  // Another node has the key; a client library for clusters asks that node by itself.
  ...['MOVED', 'ASK', 'CROSSSLOT'],
  // The program is missing; the transaction was dropped; the program found something that it does not change.
  ...['NOSCRIPT', 'EXECABORT', 'WRONGTYPE', 'CUCKOO'],
];

/** The code without the dash of the protocol and the class of the error, which some clients put before it. */
const CODE = /^(?:-|(?:[A-Za-z]*Error: )+)?([A-Z][A-Z0-9_]*)(?= |$)/;

/** The text of what a client library rejected with. */
export function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

/** The code of a server's error; undefined for others, such as those of this package, whose text may begin with any name. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof FormatError ? undefined : CODE.exec(messageOf(error))?.[1];
}

const NOT_SENT = 'not-sent';

/** The error for a command that the client has not sent, and never will. */
export function notSent(why: string): Error {
  return Object.assign(new Error(`the command was not sent: ${why}`), { code: NOT_SENT });
}

/** Whether the command was definitely not carried out. */
export function isRefusal(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return code === NOT_SENT || REFUSED.includes(codeOf(error)) || isUnknownCommand(error);
}

/** Whether the same command may be carried out a moment later. */
export function isForNow(error: unknown): boolean {
  return LATER.includes(codeOf(error));
}

/** Whether the server does not know the command, or its host has disabled it. */
function isUnknownCommand(error: unknown): boolean {
  const words =
    /\b(unknown (redis )?command|(command|function|it)\b.* not (available|supported|allowed|permitted)|unsupported command)\b/i;
  return (
    codeOf(error) === 'ERR' &&
    !/ after a part was written: /.test(messageOf(error)) &&
    words.test(messageOf(error))
  );
}

/** Whether the server does not have the script. */
export function isMissingScript(error: unknown): boolean {
  return codeOf(error) === 'NOSCRIPT';
}

/** What the program found where the shard should be. */
export type Found = 'gone' | 'differs' | 'moving' | 'rollback';

/** Whether the program answered that. */
export function answers(error: unknown, found: Found): boolean {
  return codeOf(error) === 'CUCKOO' && messageOf(error).includes(found);
}

/** The epoch that the program found, if it was too low. */
export function epochIn(error: unknown): number {
  return Number(/rollback (\d+)/.exec(messageOf(error))?.[1]);
}

/** Whether the key is of another type than a string. */
export function isNoString(error: unknown): boolean {
  return codeOf(error) === 'WRONGTYPE';
}

// What the errors of a server mean, by their code: the first word of the message, which every client library keeps.
// Invariant: a command counts as refused only if its code says that it was not carried out. With any other error, above
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

/** Before Redis 7, an error within a script: its own code stands after the line of the script. */
const WITHIN_SCRIPT = /^-?ERR Error running script\b.*?@\w+: ?\d+: -?([A-Z]+) /s;

/** The code of a server's error; undefined for others, such as those of this package, whose text may begin with any name. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof FormatError) return undefined;
  const message = messageOf(error);
  const [, within = ''] = WITHIN_SCRIPT.exec(message) ?? [];
  return REFUSED.includes(within) ? within : CODE.exec(message)?.[1];
}

/** Whether the command was definitely not carried out. */
export function isRefusal(error: unknown): boolean {
  return REFUSED.includes(codeOf(error)) || isUnknownCommand(error) || lacksFunction(error);
}

/** Whether the same command may be carried out a moment later. */
export function isForNow(error: unknown): boolean {
  return LATER.includes(codeOf(error));
}

/** Whether the server has Functions, but not this one. */
export function lacksFunction(error: unknown): boolean {
  return codeOf(error) === 'ERR' && /\bfunction not found\b/i.test(messageOf(error));
}

/** Whether the library of Functions that was to be loaded is there already. */
export function hasLibrary(error: unknown): boolean {
  return codeOf(error) === 'ERR' && /\blibrary\b.*\balready exists\b/i.test(messageOf(error));
}

/** Whether the server does not know the command, or its host has disabled it. */
export function isUnknownCommand(error: unknown): boolean {
  const words =
    /\b(unknown (redis )?command|(command|function|it)\b.* not (available|supported|allowed|permitted)|unsupported command)\b/i;
  return codeOf(error) === 'ERR' && words.test(messageOf(error));
}

/** Whether the server does not let this user run the command, now or ever. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === 'NOPERM' || isUnknownCommand(error);
}

/** Whether the server does not have the script. */
export function isMissingScript(error: unknown): boolean {
  return codeOf(error) === 'NOSCRIPT';
}

/** Whether the error comes from the program, which therefore ran. */
export function isOfProgram(error: unknown): boolean {
  return codeOf(error) === 'CUCKOO';
}

/** What the program found where the shard should be. */
export type Found = 'gone' | 'differs' | 'moving';

/** Whether the program answered that. */
export function answers(error: unknown, found: Found): boolean {
  return isOfProgram(error) && messageOf(error).includes(found);
}

/** Whether the key is of another type than a string. */
export function isNoString(error: unknown): boolean {
  return codeOf(error) === 'WRONGTYPE';
}

// What the errors of a server mean, by their code: the first word of the message, which redis and ioredis leave unchanged.
// Invariant: a command counts as refused only if its error says that it was not carried out. With any other error, above
// all a lost connection, it may have been.
import { FormatError } from '../../src/basic-errors.js';

/** Not carried out, and may be soon: the server starts, a slot or a master moves, or somebody's script runs for long. */
const LATER = /^(LOADING|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|BUSY)$/;

/**
 * Not carried out, because of memory, a server's replicas, or a disk; permissions; the node of a cluster; or what the
 * program found.
 */
const REFUSED =
  /^(OOM|NOREPLICAS|READONLY|MISCONF|NOPERM|NOAUTH|WRONGPASS|DENIED|MOVED|ASK|CROSSSLOT|NOSCRIPT|EXECABORT|WRONGTYPE|CUCKOO)$/;

/** The server does not know the command, or its host has disabled it. */
const UNKNOWN_COMMAND =
  /\b(unknown (redis )?command|(command|function|it)\b.* not (available|supported|allowed|permitted)|unsupported command)\b/i;

/** The code, behind what clients put before it: the dash of the protocol, the class of the error, how often they were sent on. */
const CODE =
  /^(?:Too many Cluster redirections\. Last error: )?(?:-|(?:[A-Za-z]*Error: )+)?([A-Z][A-Z0-9_]*)(?= |$)/;

/** The text of what a client library rejected with. */
export function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return (typeof message === 'string' && message) || String(error);
}

/** The code of a server's error. Empty for others, such as those of this package, whose text may begin with any name. */
export function codeOf(error: unknown): string {
  return (error instanceof FormatError ? undefined : CODE.exec(messageOf(error))?.[1]) ?? '';
}

const NOT_SENT = 'not-sent';

/** The error for a command that the client has not sent, and never will. */
export function notSent(why: string): Error {
  return Object.assign(new Error(`the command was not sent: ${why}`), { code: NOT_SENT });
}

/** `error`, or in its place that of a command which a connection that is subscribed to channels does not take. */
export function toldOf(error: unknown): unknown {
  const isSubscribed = /subscriber mode|SUBSCRIBE.* allowed in this context/.test(messageOf(error));
  return isSubscribed ? notSent('the connection is subscribed to channels. Use one of its own') : error;
}

/** Whether the error is one of `notSent`. */
export function isNotSent(error: unknown): boolean {
  return (Object(error) as { code?: unknown }).code === NOT_SENT;
}

function isUnknownCommand(error: unknown): boolean {
  return codeOf(error) === 'ERR' && UNKNOWN_COMMAND.test(messageOf(error));
}

/** Whether the command was definitely not carried out. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return isNotSent(error) || isUnknownCommand(error) || LATER.test(code) || REFUSED.test(code);
}

/** Whether a master takes no changes at the moment, or not this command, but may still be read by the program. */
export function isWriteRefused(error: unknown): boolean {
  return isUnknownCommand(error) || /^(OOM|NOREPLICAS|MISCONF|NOPERM)$/.test(codeOf(error));
}

/** Whether the same command may be carried out a moment later. */
export function isForNow(error: unknown): boolean {
  return LATER.test(codeOf(error));
}

/** What the program found where the shard should be, if that is the error; and the epoch, if that was too low. */
export function foundInstead(error: unknown): readonly [what: string | undefined, epoch?: number] {
  const code = codeOf(error);
  if (code === 'WRONGTYPE') return ['other'];
  const [, what, epoch] = /CUCKOO (\w+) ?(\d*)/.exec(code === 'CUCKOO' ? messageOf(error) : '') ?? [];
  return [what, Number(epoch)];
}

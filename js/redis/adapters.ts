// The function that sends a command, for the clients `redis` (node-redis) and `ioredis`, single, cluster and by Sentinel. Nothing is
// imported from them. Invariant: a command is sent at most once, because a delete that is done twice would remove another's copy; text in
// answers comes as bytes, because a filter is bytes.
import { argumentError, shownKind } from '../src/errors.js';
import type { ClientSend, Words } from './server/line.js';
import { codeOf, messageOf, notSent } from './server/server-errors.js';

/** What is used of a client of `redis`. */
export interface NodeRedisClient {
  withTypeMapping(mapping: object): unknown;
}

/** What is used of a client of `ioredis`. */
export interface IoRedisClient {
  createBuiltinCommand(command: string): { readonly buffer: unknown };
  on(event: 'ready' | 'close' | 'end', listener: () => void): unknown;
  connect(): Promise<unknown>;
  readonly status: string;
  /** Of a client that is no cluster. */
  readonly stream?: { readonly writable: boolean };
  readonly options: object;
}

/** Messages of errors that mean: the client has not sent the command, and never will. Bundlers may rename the errors' classes. */
const NOT_SENT =
  /^(The command was aborted|The client is (closed|offline)|Command timeout during maintenance|Timeout waiting for a client)/;

interface NodeRedisSender {
  sendCommand(...given: unknown[]): Promise<unknown>;
  /** Of a sentinel. */
  _execute(isReadonly: boolean, act: (node: NodeRedisSender) => Promise<unknown>): Promise<unknown>;
}

/** What each client sends by, so that it has one listener, however many filters there are. */
const sends = new WeakMap<object, ClientSend>();

/**
 * Returns a function that waits until the client has a connection, and throws, as not sent, once its signal aborts. Commands wait here
 * rather than in the client's own queue, out of which they cannot always be taken.
 */
function holding(client: IoRedisClient, isSending: () => boolean): (signal: AbortSignal) => Promise<void> {
  const waiting = new Set<() => void>();
  for (const event of ['ready', 'end'] as const) client.on(event, () => waiting.forEach((each) => each()));
  return (signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        if (!signal.aborted && !isSending()) return;
        waiting.delete(end);
        signal.removeEventListener('abort', end);
        if (signal.aborted) reject(notSent('the client is offline'));
        else resolve();
      };
      waiting.add(end);
      signal.addEventListener('abort', end);
      end();
    });
}

/**
 * Makes `send` from a client, a pool, a cluster or a sentinel of `redis`, version 6.2 or newer. It must be connected. Older versions may
 * send a command that was withdrawn, and version 5 may hand answers to the wrong calls after a lost connection.
 */
export function fromNodeRedis(client: NodeRedisClient): ClientSend {
  if (typeof (client as Partial<IoRedisClient> | undefined)?.createBuiltinCommand === 'function')
    throw argumentError('this is a client of ioredis: use fromIoRedis');
  if (typeof client?.withTypeMapping !== 'function') throw notAClient('redis', '6.2', client);
  // Version 6.2 added SUNIONCARD.
  if ('sUnion' in client && !('sUnionCard' in client))
    throw argumentError(
      'this client is of redis before 6.2, which may lose answers or mix them up after a lost connection: update redis, or use ioredis',
    );
  const known = sends.get(client);
  if (known !== undefined) return known;
  const sender = client as unknown as NodeRedisSender;
  // The client applies it only to its own commands.
  const { _keyPrefix: keyPrefix } = client as { _keyPrefix?: string };
  const isCluster = 'getRandomNode' in client;
  const isSentinel = 'getSentinelNode' in client;
  /** Undefined of a cluster, a sentinel or a pool, whose connections are not known here. */
  const isReady = (): boolean | undefined =>
    isCluster || isSentinel ? undefined : (client as { isReady?: boolean }).isReady;
  const send: ClientSend = async (command, given) => {
    const [first, last] = placesOfKeys(command);
    const isKey = (i: number): boolean => keyPrefix !== undefined && i >= first && i <= last;
    const words = command.map((word, i) => (isKey(i) ? `${keyPrefix}${String(word)}` : word));
    // The client's own time, by default 5 s until a command is written, would end calls before callMs. Text in answers, of the
    // protocol's type 36, comes as bytes.
    const typeMapping = { 36: (globalThis as { Buffer?: unknown }).Buffer };
    const options = { timeout: 0, typeMapping, ...(given && { abortSignal: given.signal }) };
    try {
      // With `useReplicas`, a server's replica may answer only this command, and it is sent only with `acceptStale`.
      const mayBeStale = words[0] === 'BITFIELD_RO';
      if (isSentinel) return await bySentinel(sender, words, options, mayBeStale);
      // A cluster needs the key that decides the node.
      const ofCluster = isCluster ? [words[first], mayBeStale] : [];
      return await sender.sendCommand(...ofCluster, words, options);
    } catch (error) {
      const message = messageOf(error);
      if (NOT_SENT.test(message) || (message === 'The queue is full' && isReady())) throw notSent(message);
      // A client that connects again writes what waits behind its own first commands. If one of those fails, all get its error; but
      // none of them runs a program, and a server that is loading its data carries all of them out.
      const isBelieved = isReady() !== false || /^(NOSCRIPT|CUCKOO|LOADING)$/.test(codeOf(error));
      throw isBelieved ? error : new Error(`the connection was lost: ${message}`, { cause: error });
    }
  };
  sends.set(client, Object.assign(send, { keyPrefix }));
  return send;
}

/**
 * Sends by a sentinel, which would send a command again after a lost connection: it does so for errors alone, but not
 * for what is thrown in their place.
 */
async function bySentinel(
  sentinel: NodeRedisSender,
  words: Words,
  options: object,
  mayBeStale: boolean,
): Promise<unknown> {
  const once = (node: NodeRedisSender): Promise<unknown> =>
    node.sendCommand(words, options).catch((error: unknown) => {
      throw codeOf(error) === 'READONLY' ? error : { error }; // A former master refuses it: the new one is asked.
    });
  try {
    return await sentinel._execute(mayBeStale, once);
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : (thrown as { error: unknown }).error;
  }
}

/** The error for what is no client. The message does not show an address, which may have a password. */
function notAClient(name: string, least: string, given: unknown): Error {
  return argumentError(
    `client must be of the npm package ${name}, version ${least} or newer, got ${shownKind(given)}`,
  );
}

/** The first and the last key in a command. */
function placesOfKeys(command: Words): readonly [number, number] {
  return /^EVAL/.test(String(command[0])) ? [3, 2 + Number(command[2])] : [1, 1];
}

/** What is read of the options of `ioredis`. */
interface IoRedisOptions {
  readonly autoResendUnfulfilledCommands?: boolean;
  readonly enableOfflineQueue?: boolean;
  readonly keyPrefix?: string;
  readonly reconnectOnError?: ((error: Error) => unknown) | null;
  /** Of a cluster. */
  readonly retryDelayOnFailover?: number;
  readonly clusterNodeRetryStrategy?: unknown;
  readonly redisOptions?: IoRedisOptions;
}

/**
 * Makes `send` from a client or a cluster of `ioredis`, version 5 or newer, that sends no command twice: a client made
 * with `autoResendUnfulfilledCommands: false`, a cluster with `retryDelayOnFailover: 0` and without `clusterNodeRetryStrategy`. A
 * client may find its master through Sentinel.
 */
export function fromIoRedis(client: IoRedisClient): ClientSend {
  if (typeof (client as Partial<NodeRedisClient> | undefined)?.withTypeMapping === 'function')
    throw argumentError('this is a client of redis: use fromNodeRedis');
  if (typeof client?.createBuiltinCommand !== 'function') throw notAClient('ioredis', '5', client);
  return sends.get(client) ?? sendOf(client);
}

function sendOf(client: IoRedisClient): ClientSend {
  const options = client.options as IoRedisOptions;
  const isCluster = 'nodes' in client;
  const twice = 'it may send a delete twice, which removes two copies';
  const need = (isSet: boolean, setting: string, why = twice): void => {
    if (!isSet) throw argumentError(`make this client of ioredis with ${setting}: ${why}`);
  };
  if (isCluster) {
    need(options.retryDelayOnFailover === 0, 'retryDelayOnFailover: 0');
    need(!options.clusterNodeRetryStrategy, 'clusterNodeRetryStrategy: null'); // Its nodes would resend.
    need(options.enableOfflineQueue !== false, 'enableOfflineQueue: true', 'it fails while a node connects');
  } else need(options.autoResendUnfulfilledCommands === false, 'autoResendUnfulfilledCommands: false');
  // It would send a refused command again, after the call has failed.
  need(options.reconnectOnError?.(new Error('READONLY')) !== 2, 'reconnectOnError not returning 2');
  const keyPrefix = options.keyPrefix ?? options.redisOptions?.keyPrefix;

  // The client puts commands into its own queue, too, between the end of a connection and its event.
  const isSending = (): boolean =>
    (client.status === 'ready' && client.stream?.writable !== false) ||
    client.status === 'end' ||
    options.enableOfflineQueue === false;
  const untilSending = holding(client, isSending);
  const sent = new Set<(error: Error) => void>();
  // The client forgets what it has sent and has no answer for, without a word.
  client.on('close', () => {
    if (!isCluster) sent.forEach((fail) => fail(new Error('the connection was lost')));
  });
  const send: ClientSend = async ([command, ...words], given) => {
    if (client.status === 'wait') client.connect().catch(() => undefined); // It says so by its events.
    if (given !== undefined && !isSending()) await untilSending(given.signal);
    if (client.status === 'end') throw notSent('the client is closed');
    // Past enableAutoPipelining, which sends nothing any more once a lost connection has taken a pipeline with it.
    const { buffer } = client.createBuiltinCommand(String(command).toLowerCase());
    let stop: (error: Error) => void = () => undefined;
    const closed = new Promise<never>((_, reject) => sent.add((stop = reject)));
    try {
      return await Promise.race([(buffer as (...words: unknown[]) => unknown).apply(client, words), closed]);
    } catch (error) {
      const isNotSent = /isn't writeable and enableOfflineQueue/.test(messageOf(error));
      throw isNotSent ? notSent(messageOf(error)) : error;
    } finally {
      sent.delete(stop);
    }
  };
  sends.set(client, Object.assign(send, { keyPrefix }));
  return send;
}

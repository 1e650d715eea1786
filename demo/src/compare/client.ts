// The page's end of the lab's worker.
// Invariant: messages reach the page at most once per frame, so that no frame is long, however many come; and after
// `stop` none of the ended worker's come any more.
import type { Message, Request } from './protocol';
import Thread from './worker?worker';

/** Where frames do not come, as on a hidden page. */
const LATE_MS = 200;

export class LabClient {
  readonly #hear: (message: Message) => void;
  #thread: Worker | null = null;
  #waiting: Message[] = [];

  constructor(hear: (message: Message) => void) {
    this.#hear = hear;
  }

  /** Sends a request; the worker starts with the first one. */
  ask(request: Request): void {
    (this.#thread ??= this.#started()).postMessage(request);
  }

  /** Ends the work that is under way, and with it the filters. */
  stop(): void {
    this.#thread?.terminate();
    this.#thread = null;
    this.#waiting = [];
  }

  /** Asks, and resolves when the request is done, or was stopped by the signal. Rejects if it failed. */
  run(request: Request, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.stop();
        resolve();
      });
      this.#end = (why) => (why === null ? resolve() : reject(new Error(why)));
      this.ask(request);
    });
  }

  #end: (why: string | null) => void = () => undefined;

  #started(): Worker {
    const thread = new Thread();
    thread.onmessage = ({ data }: MessageEvent<Message>) => {
      this.#waiting.push(data);
      if (this.#waiting.length === 1) nextFrame(() => this.#flush(thread));
    };
    thread.onerror = ({ message }) => this.#fail(message);
    return thread;
  }

  #flush(thread: Worker): void {
    if (thread !== this.#thread) return;
    const messages = this.#waiting;
    this.#waiting = [];
    for (const message of messages) {
      if (message.type === 'failed') this.#fail(message.why);
      else this.#hear(message);
      if (message.type === 'done') this.#end(null);
    }
  }

  #fail(why: string): void {
    this.stop();
    this.#end(why);
  }
}

function nextFrame(act: () => void): void {
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    act();
  }, LATE_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    act();
  });
}

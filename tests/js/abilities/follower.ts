// Follows a traced filter with a table of its own, rebuilt from the events alone.
// Invariant: every event is held against the rules of the algorithm before it is applied.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { claim } from '../support/random';
import { otherHome } from '../support/reference/reader';
import type { Shape } from '../support/shapes';

type EventOf<Kind extends TraceEvent['kind']> = Extract<TraceEvent, { kind: Kind }>;

const { imul, max } = Math;

/** Looks that a search tells at most. */
const MOST_LOOKS = 256;

/** A table that the events of a filter change; `follow` throws where an event is not lawful. */
export class Follower {
  readonly slots: Uint32Array;
  #size = 0;
  #operation = 0;
  #name = '';
  #kicks: EventOf<'kick'>[] = [];
  #undone = 0;
  /** The slot that the next event must settle, or -1. */
  #unsettled = -1;
  readonly #codes = new Map<number, number>();

  /** For each bucket that this search has reached: how many kicks it takes to get there. */
  readonly #kicksTo = new Map<number, number>();
  #looks: EventOf<'look'>[] = [];

  /** `walkKicks`: the most kicks of a random walk, if the trace was told to walk. */
  constructor(
    readonly shape: Shape,
    readonly walkKicks?: number,
  ) {
    this.slots = new Uint32Array(shape.bucketCount * shape.bucketSize);
  }

  follow(event: TraceEvent): void {
    if (event.kind === 'begin') this.#begin(event);
    claim(
      event.kind === 'encode' || this.#unsettled === -1,
      () => `${event.kind}: the bucket just changed was not encoded`,
    );
    claim(event.operation === this.#operation, () => 'an event of another operation');
    switch (event.kind) {
      case 'locate':
        return this.#locate(event);
      case 'probe':
        return this.#probe(event);
      case 'place':
        this.#size += 1;
        claim(
          event.before === 0 && event.kick === this.#kicks.length,
          () => 'a place into a slot in use, or out of count',
        );
        return this.#change(event);
      case 'remove':
        this.#size -= 1;
        claim(event.after === 0 && event.before !== 0, () => 'a remove of nothing');
        claim(
          otherHome(event.bucket, event.before, this.shape) === event.otherBucket,
          () => 'a remove with a wrong other bucket',
        );
        return this.#change(event, event.before);
      case 'look':
        return this.#look(event);
      case 'kick':
        return this.#kick(event);
      case 'undo':
        return this.#undo(event);
      case 'encode':
        return this.#encode(event);
      case 'reset':
        this.slots.fill(0);
        this.#codes.clear();
        this.#size = 0;
        return;
      case 'end':
        return this.#end(event);
      case 'begin':
        return;
    }
  }

  #at(bucket: number, slot: number): number {
    return bucket * this.shape.bucketSize + slot;
  }

  #begin(event: EventOf<'begin'>): void {
    claim(event.operation === ++this.#operation, () => 'operations are not numbered in a row');
    claim(event.size === this.#size, () => 'begin says another size');
    this.#name = event.name;
    this.#kicks = [];
    this.#looks = [];
    this.#undone = 0;
  }

  #locate(event: EventOf<'locate'>): void {
    const { fingerprint, rawFingerprint, primary, alternate } = event;
    this.#kicksTo.clear();
    this.#kicksTo.set(primary, 0).set(alternate, 0);
    claim(
      fingerprint === (rawFingerprint || 1) && event.wasZeroReplaced === (rawFingerprint === 0),
      () => 'a wrong fingerprint',
    );
    claim(otherHome(primary, fingerprint, this.shape) === alternate, () => 'a wrong alternate');
    claim(
      otherHome(alternate, fingerprint, this.shape) === primary,
      () => 'alternate is not its own inverse',
    );
    claim(event.homesCoincide === (primary === alternate), () => 'a wrong homesCoincide');
    const m = this.shape.bucketCount;
    const other = this.shape.addressing === 'xor' ? primary ^ event.offset : (event.offset - primary + m) % m;
    claim(other === alternate && event.offset < m, () => 'a wrong offset');
  }

  #probe(event: EventOf<'probe'>): void {
    const entry = this.slots[this.#at(event.bucket, event.slot)];
    claim(event.content === entry, () => 'a probe that read something else');
    claim(
      event.isMatch === (entry === event.sought) && event.isEmpty === (entry === 0),
      () => 'a wrong probe flag',
    );
  }

  #look(event: EventOf<'look'>): void {
    const { bucket, from, slot, content, kicks } = event;
    claim(this.walkKicks === undefined, () => 'a random walk looks at nothing');
    claim(this.#looks.at(-1)?.isCutShort !== true, () => 'a look after the last');
    this.#looks.push(event);
    claim(!event.isCutShort || this.#looks.length === MOST_LOOKS, () => 'cut short too early');
    claim(this.slots[this.#at(from, slot)] === content, () => 'a look from another entry');
    claim(otherHome(from, content, this.shape) === bucket, () => 'a look elsewhere than the entry leads');
    claim(this.#kicksTo.get(from) === kicks - 1, () => 'a look from a bucket that was not reached so');
    claim(event.hasRoom === this.#entriesOf(bucket).includes(0), () => 'a look with a wrong hasRoom');
    if (!this.#kicksTo.has(bucket)) this.#kicksTo.set(bucket, kicks);
  }

  #entriesOf(bucket: number): Uint32Array {
    return this.slots.subarray(this.#at(bucket, 0), this.#at(bucket + 1, 0));
  }

  /** The slot's entry changes from `before` to `after`; `moved` is the fingerprint whose other candidate bucket is told. */
  #change(event: EventOf<'place' | 'remove' | 'kick' | 'undo'>, moved = event.after): void {
    const at = this.#at(event.bucket, event.slot);
    claim(
      event.slot < this.shape.bucketSize && this.slots[at] === event.before,
      () => `${event.kind}: another entry before`,
    );
    claim(
      otherHome(event.bucket, moved, this.shape) === event.otherBucket,
      () => `${event.kind}: a wrong other bucket`,
    );
    this.slots[at] = event.after;
    this.#unsettled = this.shape.semiSort ? at : -1;
  }

  /** The entry just changed moves to where its bucket's order puts it; the others keep theirs. */
  #encode({ bucket, slot, settled, codeBefore, codeAfter }: EventOf<'encode'>): void {
    claim(this.#at(bucket, slot) === this.#unsettled, () => 'an encode of another slot than was changed');
    this.#unsettled = -1;
    const entries = this.slots.subarray(this.#at(bucket, 0), this.#at(bucket + 1, 0));
    const order = [...entries];
    order.splice(settled, 0, ...order.splice(slot, 1));
    entries.set(order);
    const lowBits = Number.isInteger(this.shape.fingerprintBits) ? 4 : 5;
    const lowParts = order.map((fingerprint) => fingerprint % 2 ** lowBits);
    claim(
      lowParts.every((low, at) => at === 0 || low >= (lowParts[at - 1] ?? 0)),
      () => 'low parts out of order',
    );
    const [a = 0, b = 0, c = 0, d = 0] = lowParts;
    const rank = a + (b * (b + 1)) / 2 + (c * (c + 1) * (c + 2)) / 6 + (d * (d + 1) * (d + 2) * (d + 3)) / 24;
    claim(codeAfter === rank, () => `code ${codeAfter} for the quadruple of rank ${rank}`);
    claim(codeBefore === (this.#codes.get(bucket) ?? 0), () => 'another code before');
    this.#codes.set(bucket, codeAfter);
  }

  #kick(event: EventOf<'kick'>): void {
    const previous = this.#kicks.at(-1);
    claim(
      previous === undefined || previous.otherBucket === event.bucket,
      () => 'a kick elsewhere than where the victim goes',
    );
    claim(
      previous === undefined || previous.before === event.after,
      () => 'a kick by another than the victim before',
    );
    this.#kicks.push(event);
    claim(event.kick === this.#kicks.length, () => 'a kick out of count');
    if (this.walkKicks !== undefined) this.#walked(event, this.walkKicks);
    claim(event.hasRoom === this.#entriesOf(event.otherBucket).includes(0), () => 'a wrong hasRoom');
    this.#change(event, event.before);
  }

  /** The victim of a random walk is the entry that the draw chooses. */
  #walked({ bucket, draw, before, kick }: EventOf<'kick'>, most: number): void {
    claim(kick <= most, () => 'more kicks than a walk may make');
    const lots = [...this.#entriesOf(bucket)].map((entry) => imul(entry, draw) >>> 0);
    claim(imul(before, draw) >>> 0 === max(...lots), () => 'a victim other than the draw chooses');
  }

  #undo(event: EventOf<'undo'>): void {
    const kick = this.#kicks[this.#kicks.length - ++this.#undone];
    claim(kick !== undefined, () => 'an undo without a kick');
    const { bucket, slot, before, after, otherBucket, kick: number } = kick;
    // In a semi-sorted bucket the intruder lies where the order put it.
    const at = this.shape.semiSort ? event.slot : slot;
    const mirror = { bucket, slot: at, before: after, after: before, otherBucket, kick: number };
    for (const [field, value] of Object.entries(mirror)) {
      claim(
        event[field as keyof typeof mirror] === value,
        () => `an undo that does not mirror its kick in ${field}`,
      );
    }
    this.#change(event);
  }

  #end(event: EventOf<'end'>): void {
    claim(event.size === this.#size && event.name === this.#name, () => 'end says another size or name');
    claim(event.kicks === this.#kicks.length, () => 'end says another number of kicks');
    claim(this.#undone === 0 || this.#undone === this.#kicks.length, () => 'only some kicks were undone');
    claim(
      event.result !== 'full' || event.kicks === (this.walkKicks ?? 0),
      () => 'full before all kicks were tried, or after kicks that were not made',
    );
    const found = this.#looks.at(-1);
    const last = this.#kicks.at(-1);
    if (found && last && !found.isCutShort) {
      claim(found.from === last.bucket && found.kicks === last.kick, () => 'another path than was found');
    }
    claim(
      this.#undone === 0 || event.result === 'full',
      () => 'kicks were undone, but the filter is not full',
    );
  }
}

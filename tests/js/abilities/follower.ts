// Follows a traced filter with a table of its own, rebuilt from the events alone.
// Invariant: every event is held against the rules of the algorithm before it is applied.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { claim } from '../support/random';
import { otherHome } from '../support/reference/reader';
import type { Shape } from '../support/shapes';

type EventOf<Kind extends TraceEvent['kind']> = Extract<TraceEvent, { kind: Kind }>;

const { imul, max } = Math;

/** Kicks after which a victim's reach is looked for one kick further. */
const LOOKS_FURTHER_AFTER = 32;

/** Buckets of a closed set at most that ends a walk early. */
const MOST_CLOSED = 64;

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

  /** `lookAhead`: as `trace` was told. */
  constructor(
    readonly shape: Shape & { readonly maxKicks: number },
    readonly lookAhead = true,
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
    this.#undone = 0;
  }

  #locate(event: EventOf<'locate'>): void {
    const { fingerprint, rawFingerprint, primary, alternate } = event;
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
    claim(
      event.kick === this.#kicks.length && event.kick <= this.shape.maxKicks,
      () => 'a kick out of count',
    );
    claim(this.#choice(event) === event.slot, () => 'a victim other than the rule chooses');
    const target = this.slots.subarray(this.#at(event.otherBucket, 0), this.#at(event.otherBucket + 1, 0));
    claim(event.hasRoom === target.includes(0), () => 'a wrong hasRoom');
    claim(
      !event.leadsToRoom || (!event.hasRoom && event.kick > LOOKS_FURTHER_AFTER),
      () => 'a wrong leadsToRoom',
    );
    this.#change(event, event.before);
  }

  /** The slot that the rule told in the event's draw chooses; of equal lots, the fingerprint is the same. */
  #choice({ bucket, draw, slot: chosen, kick, hasRoom, leadsToRoom }: EventOf<'kick'>): number {
    const entriesOf = (each: number) => this.slots.subarray(this.#at(each, 0), this.#at(each + 1, 0));
    const entries = [...entriesOf(bucket)];
    const homeHasRoom = (from: number, fingerprint: number): boolean =>
      entriesOf(otherHome(from, fingerprint, this.shape)).includes(0);
    /** 2: an empty slot in the other candidate bucket; 1: in that of a fingerprint there; 0: neither is known. */
    const reach = (fingerprint: number): number => {
      if (homeHasRoom(bucket, fingerprint)) return 2;
      if (kick <= LOOKS_FURTHER_AFTER) return 0;
      const other = otherHome(bucket, fingerprint, this.shape);
      return Number(entriesOf(other).some((each) => homeHasRoom(other, each)));
    };
    const soonest = max(...entries.map(reach));
    const isRandom = !this.lookAhead;
    claim(
      isRandom || soonest === (hasRoom ? 2 : leadsToRoom ? 1 : 0),
      () => 'a victim that does not reach room soonest',
    );
    const candidates = entries.filter((fingerprint) => isRandom || reach(fingerprint) === soonest);
    const lots = candidates.map((fingerprint) => imul(fingerprint, draw) >>> 0);
    const winner = candidates[lots.indexOf(max(...lots))];
    return entries[chosen] === winner ? chosen : -1;
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

  /** Whether the entries in the candidate buckets, those in the buckets these lead to and so on, fill all of them. */
  #isClosed(): boolean {
    const first = this.#kicks[0];
    const met = new Set(first && [first.bucket, otherHome(first.bucket, first.after, this.shape)]);
    for (const bucket of met) {
      for (const entry of this.slots.subarray(this.#at(bucket, 0), this.#at(bucket + 1, 0))) {
        if (entry === 0) return false;
        met.add(otherHome(bucket, entry, this.shape));
      }
    }
    return met.size <= MOST_CLOSED;
  }

  #end(event: EventOf<'end'>): void {
    claim(event.size === this.#size && event.name === this.#name, () => 'end says another size or name');
    claim(event.kicks === this.#kicks.length, () => 'end says another number of kicks');
    claim(this.#undone === 0 || this.#undone === this.#kicks.length, () => 'only some kicks were undone');
    const isEarly = this.lookAhead && event.kicks === LOOKS_FURTHER_AFTER && this.#isClosed();
    claim(
      event.result !== 'full' || isEarly || event.kicks === this.shape.maxKicks,
      () => 'full before all kicks were tried, though more might have ended elsewhere',
    );
    claim(
      this.#undone === 0 || event.result === 'full',
      () => 'kicks were undone, but the filter is not full',
    );
  }
}

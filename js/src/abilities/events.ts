// The trace's events: their types, and how they are read from the core's records.
// Invariant: each kind has the fields that Event in cpp/include/cuckoo/entries/trace.h lists for it, under the same meaning.
// A record is 8 words: operation; kind, flags, slot and code, a byte each; bucket, other bucket, before, after, kick
// and detail.

import { INSERT_OUTCOMES } from '../engine/bindings.js';

/** An operation of the core, in its words. */
export type TraceOperation =
  'insert' | 'insertIfAbsent' | 'contains' | 'count' | 'erase' | 'clear' | 'grow' | 'shrink' | 'merge';

/** The old and the new entry of a slot; 0 is empty. `otherBucket` is the other candidate bucket of the entry that moved. */
export interface SlotChange {
  readonly bucket: number;
  readonly slot: number;
  readonly before: number;
  readonly after: number;
  readonly otherBucket: number;
}

/** One fact about an operation. `operation` numbers the operations since tracing began. */
export type TraceEvent = { readonly operation: number } & (
  | { readonly kind: 'begin'; readonly name: TraceOperation; readonly hash: bigint; readonly size: number }
  | {
      readonly kind: 'locate';
      readonly rawFingerprint: number;
      readonly fingerprint: number;
      readonly wasZeroReplaced: boolean;
      readonly primary: number;
      readonly alternate: number;
      /**
       * Leads from one candidate bucket to the other: (offset - bucket) mod m for `reflect`, bucket XOR offset for
       * `xor`. If the table may still double, bucket and m refer to the largest table that it may become.
       */
      readonly offset: number;
      readonly homesCoincide: boolean;
    }
  | {
      readonly kind: 'probe';
      readonly bucket: number;
      readonly slot: number;
      readonly content: number;
      /** The entry looked for; 0: an empty slot. */
      readonly sought: number;
      readonly isMatch: boolean;
      readonly isEmpty: boolean;
    }
  | {
      /** The search looked whether a bucket has room. The looks of one search come breadth first. */
      readonly kind: 'look';
      readonly bucket: number;
      /** The bucket from which the search comes here: a candidate bucket, or one that an earlier look found full. */
      readonly from: number;
      /** The slot of that bucket whose entry would move here, and the entry. */
      readonly slot: number;
      readonly content: number;
      /** How many kicks the path has if it ends here. */
      readonly kicks: number;
      readonly hasRoom: boolean;
      /** The search went on, but tells no more looks: at most 256 are told. */
      readonly isCutShort: boolean;
    }
  | (SlotChange & {
      readonly kind: 'place';
      /** Number of kicks before. */
      readonly kick: number;
    })
  | (SlotChange & {
      /** `before` is the victim, `after` the entry that takes its place, `otherBucket` the bucket that the victim moves to. */
      readonly kind: 'kick';
      /** Number of this kick, from 1. */
      readonly kick: number;
      /** Whether the victim's other candidate bucket has an empty slot. */
      readonly hasRoom: boolean;
      /**
       * The random number that chose the victim of a random walk: the entry for which draw x entry mod 2^32 is largest.
       * 0 in a path that the search found.
       */
      readonly draw: number;
    })
  | (SlotChange & { readonly kind: 'undo'; readonly kick: number })
  | (SlotChange & { readonly kind: 'remove' })
  | {
      /** A semi-sorted bucket was sorted and encoded again after a change. */
      readonly kind: 'encode';
      readonly bucket: number;
      /** The slot that changed, and the slot its entry moved to. The entries in between moved one slot the other way. */
      readonly slot: number;
      readonly settled: number;
      /** The code of the four low parts of the bucket: the rank of that sorted quadruple. */
      readonly codeBefore: number;
      readonly codeAfter: number;
    }
  | {
      /**
       * The whole table changed at once (`clear`, `grow`, `shrink`, `merge`). No event says what the slots held before. Read
       * `bucketCount` and `slots()` again afterwards. To step back over this event, keep a copy of both from before the operation.
       */
      readonly kind: 'reset';
      readonly name: TraceOperation;
    }
  | {
      /**
       * Before the `reset` of a table that doubles: one entry, and where it goes. Its bucket becomes two; its highest
       * reserved bit, which it then loses, says which of them. There is one such event for every entry, or none if the
       * buffer has no room for all of them.
       */
      readonly kind: 'split';
      /** Where it lies in the table before. */
      readonly bucket: number;
      readonly slot: number;
      /** The entry with its highest reserved bit, and without it. */
      readonly before: number;
      readonly after: number;
      /** In the doubled table: 2 x bucket, or the one after it. */
      readonly toBucket: number;
    }
  | {
      readonly kind: 'end';
      readonly name: TraceOperation;
      /** Inserts: what happened to the key. Other operations: whether it was found. */
      readonly result: 'added' | 'full' | 'too-many-copies' | 'present' | boolean;
      readonly kicks: number;
      /** The result of `count`; 0 for other operations. */
      readonly copies: number;
      readonly size: number;
    }
);

/** 32-bit words in a record. */
export const RECORD_WORDS = 8;

const OPERATIONS: readonly TraceOperation[] = [
  'insert',
  'insertIfAbsent',
  'contains',
  'count',
  'erase',
  'clear',
  'grow',
  'shrink',
  'merge',
] as const;
const KINDS = [
  'begin',
  'locate',
  'probe',
  'place',
  'kick',
  'undo',
  'remove',
  'end',
  'encode',
  'reset',
  'split',
  'look',
] as const;

/** Bits of a record's flags. */
const ZERO_REPLACED = 1;
const HOMES_COINCIDE = 2;
const MATCHES = 4;
const EMPTY = 8;
const HAS_ROOM = 16;
const MORE_LOOKS = 32;

/** The event in a record of RECORD_WORDS words. */
export function readEvent(record: Uint32Array): TraceEvent {
  const [
    operation = 0,
    packed = 0,
    bucket = 0,
    otherBucket = 0,
    before = 0,
    after = 0,
    kick = 0,
    detail = 0,
  ] = record;
  const kind = KINDS[packed & 0xff];
  const has = (flag: number): boolean => ((packed >>> 8) & flag) !== 0;
  const slot = (packed >>> 16) & 0xff;
  const code = packed >>> 24;
  const size = bucket + otherBucket * 0x1_0000_0000;
  const place = { operation, bucket, slot };
  const change = { ...place, before, after, otherBucket };
  switch (kind) {
    case 'begin':
      return { operation, kind, name: nameOf(code), hash: (BigInt(after) << 32n) | BigInt(before), size };
    case 'locate':
      return {
        operation,
        kind,
        rawFingerprint: before,
        fingerprint: after,
        wasZeroReplaced: has(ZERO_REPLACED),
        primary: bucket,
        alternate: otherBucket,
        offset: detail,
        homesCoincide: has(HOMES_COINCIDE),
      };
    case 'probe':
      return { ...place, kind, content: before, sought: detail, isMatch: has(MATCHES), isEmpty: has(EMPTY) };
    case 'look':
      return {
        ...place,
        kind,
        from: otherBucket,
        content: before,
        kicks: kick,
        hasRoom: has(HAS_ROOM),
        isCutShort: has(MORE_LOOKS),
      };
    case 'place':
    case 'undo':
      return { ...change, kind, kick };
    case 'kick':
      return { ...change, kind, kick, hasRoom: has(HAS_ROOM), draw: detail };
    case 'remove':
      return { ...change, kind };
    case 'encode':
      return { ...place, kind, settled: detail, codeBefore: before, codeAfter: after };
    case 'reset':
      return { operation, kind, name: nameOf(code) };
    case 'split':
      return { ...place, kind, before, after, toBucket: otherBucket };
    case 'end':
      return {
        operation,
        kind,
        name: nameOf(before),
        result: resultOf(before, code),
        kicks: kick,
        copies: detail,
        size,
      };
    default:
      throw new Error(`no event has the kind ${packed & 0xff}`);
  }
}

function nameOf(code: number): TraceOperation {
  return OPERATIONS[code] ?? 'insert';
}

function resultOf(operation: number, code: number): (typeof INSERT_OUTCOMES)[number] | boolean {
  return nameOf(operation).startsWith('insert') ? (INSERT_OUTCOMES[code] ?? false) : code !== 0;
}

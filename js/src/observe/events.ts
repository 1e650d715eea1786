// The trace's events: their types, and how they are read from the core's records.
// Invariant: each kind has the fields that Event in cpp/include/cuckoo/filter/trace.h lists for it, under the same meaning.
// A record is 8 words: operation; kind, flags, slot and code, a byte each; bucket, other bucket, before, after, kick
// and detail.

import { INSERT_OUTCOMES } from '../wasm/bindings.js';

/** An operation of the core, in its words. */
export type TraceOperation = 'insert' | 'insertIfAbsent' | 'contains' | 'count' | 'erase' | 'clear' | 'grow';

/** What a slot held and what it holds now; 0 is empty. `otherBucket` is the other home of the fingerprint that moved. */
export interface SlotChange {
  readonly bucket: number;
  readonly slot: number;
  readonly before: number;
  readonly after: number;
  readonly otherBucket: number;
}

/** One fact. `operation` numbers the operations since tracing began. Buckets, slots and kicks as in the core. */
export type TraceEvent = { readonly operation: number } & (
  | { readonly kind: 'begin'; readonly name: TraceOperation; readonly hash: bigint; readonly size: number }
  | {
      readonly kind: 'locate';
      readonly rawFingerprint: number;
      readonly fingerprint: number;
      readonly wasZeroReplaced: boolean;
      readonly primary: number;
      readonly alternate: number;
      /** What leads from one home to the other: `reflect` takes (offset - bucket) mod m, `xor` bucket XOR offset. */
      readonly offset: number;
      readonly homesCoincide: boolean;
    }
  | {
      readonly kind: 'probe';
      readonly bucket: number;
      readonly slot: number;
      readonly content: number;
      /** The fingerprint looked for; 0: an empty slot. */
      readonly sought: number;
      readonly isMatch: boolean;
      readonly isEmpty: boolean;
    }
  | (SlotChange & {
      readonly kind: 'place';
      /** Kicks before it. */
      readonly kick: number;
    })
  | (SlotChange & {
      /** `before` is the victim, `after` who takes its place, `otherBucket` where the victim goes. */
      readonly kind: 'kick';
      /** From 1. */
      readonly kick: number;
      /** The victim's other home has an empty slot. */
      readonly hasRoom: boolean;
      /** It has none, but a fingerprint there has one in its own other home. Looked for after 32 kicks only. */
      readonly leadsToRoom: boolean;
      /**
       * Why this slot: of the fingerprints that reach an empty slot soonest, the victim is the one for which
       * draw x fingerprint mod 2^32 is largest.
       */
      readonly draw: number;
    })
  | (SlotChange & { readonly kind: 'undo'; readonly kick: number })
  | (SlotChange & { readonly kind: 'remove' })
  | {
      /** A semi-sorted bucket was sorted again after a change, and its low parts coded. */
      readonly kind: 'encode';
      readonly bucket: number;
      /** The slot just changed, and where its content moved; those between moved one slot the other way. */
      readonly slot: number;
      readonly settled: number;
      /** The code of the bucket's four low parts: the rank of that sorted quadruple. */
      readonly codeBefore: number;
      readonly codeAfter: number;
    }
  | {
      /**
       * The whole table changed at once (`clear`, `grow`), and no event tells what the slots held. After it, read
       * `bucketCount` and `slots()` anew. Stepping back ends here, unless you keep a copy of `slots()` and `bucketCount`
       * from before the operation: go back to that.
       */
      readonly kind: 'reset';
      readonly name: TraceOperation;
    }
  | {
      readonly kind: 'end';
      readonly name: TraceOperation;
      /** For inserts what became of the key; for the others whether it was found. */
      readonly result: 'added' | 'full' | 'too-many-copies' | 'present' | boolean;
      readonly kicks: number;
      /** For `count`, else 0. */
      readonly copies: number;
      readonly size: number;
    }
);

/** 32-bit words in a record. */
export const RECORD_WORDS = 8;

const OPERATIONS = ['insert', 'insertIfAbsent', 'contains', 'count', 'erase', 'clear', 'grow'] as const;
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
] as const;

/** Bits of a record's flags. */
const ZERO_REPLACED = 1;
const HOMES_COINCIDE = 2;
const MATCHES = 4;
const EMPTY = 8;
const HAS_ROOM = 16;
const LEADS_TO_ROOM = 32;

/** The event that a record of RECORD_WORDS words tells. */
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
      return {
        operation,
        kind,
        bucket,
        slot,
        content: before,
        sought: detail,
        isMatch: has(MATCHES),
        isEmpty: has(EMPTY),
      };
    case 'place':
    case 'undo':
      return { operation, kind, bucket, slot, before, after, otherBucket, kick };
    case 'kick':
      return {
        operation,
        kind,
        bucket,
        slot,
        before,
        after,
        otherBucket,
        kick,
        hasRoom: has(HAS_ROOM),
        leadsToRoom: has(LEADS_TO_ROOM),
        draw: detail,
      };
    case 'remove':
      return { operation, kind, bucket, slot, before, after, otherBucket };
    case 'encode':
      return { operation, kind, bucket, slot, settled: detail, codeBefore: before, codeAfter: after };
    case 'reset':
      return { operation, kind, name: nameOf(code) };
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

// What the page and the lab's worker tell each other.
// Invariant: the lists of names are the enumerations of cpp/lab, in their order (a test compares them).

/** `lab::Kind`. */
export const KINDS = [
  'cuckoo',
  'semiSorted',
  'bloom',
  'blockedBloom',
  'quotient',
  'dLeft',
  'planned',
  'splitBlockBloom',
  'countingBloom',
  'binaryFuse',
  'cuckooTable',
] as const;
export type Kind = (typeof KINDS)[number];

/** `lab::Figure`: what is measured of a filter. Speeds are millions of keys per second. */
export const FIGURES = [
  'progress',
  'wanted',
  'bitsPerKey',
  'bytes',
  'inserted',
  'lost',
  'expectedRate',
  'asked',
  'found',
  'buildSpeed',
  'lookupSpeed',
  'eraseSpeed',
  'linesAbsent',
  'linesPresent',
] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Partial<Record<Figure, number>>;

/** `lab::Refusal`. */
export const REFUSALS = ['none', 'rateTooLow', 'rateTooHigh', 'tooFewBits', 'outOfMemory'] as const;
export type Refusal = Exclude<(typeof REFUSALS)[number], 'none'>;

/** One of the two; the other is 0. */
export interface Goal {
  readonly rate: number;
  readonly bitsPerKey: number;
}

/** Lines of a file that are read at most, as in demo/cpp/lab.cpp. */
export const MOST_LINES = 5_000_000;
/** False positives that are named at most. */
export const MOST_NAMES = 10_000;

/** A key to look up: a text, or the number of a present key, or of an absent one below 0. */
export type Asked = string | number;

/** What a lookup did. */
export interface Look {
  readonly kind: Kind;
  readonly isFound: boolean;
  /** First byte and bytes of each read, in order. */
  readonly reads: readonly (readonly [number, number])[];
  readonly cacheLines: number;
}

/** A point of a figure of the paper; of Figure 6, `line` 0 is about absent keys and 1 about present ones. */
export interface Point {
  readonly figure: number;
  readonly kind: Kind;
  readonly line: number;
  readonly x: number;
  readonly y: number;
}

/** A row of Table 3. */
export interface Row {
  readonly items: number;
  readonly bytes: number;
  readonly rate: number;
  readonly expected: number;
  readonly build: number;
  readonly linesAbsent: number;
  readonly linesPresent: number;
}

/** A cuckoo hash table that was filled until an insert failed. */
export interface TableLoad {
  readonly functions: number;
  readonly slots: number;
  readonly isSearch: boolean;
  readonly load: number;
  /** The load that large tables of this shape can reach. */
  readonly threshold: number;
}

export type Request =
  | {
      readonly type: 'compare';
      readonly kinds: readonly Kind[];
      readonly goal: Goal;
      /** Of the keys asked, and of a file's lines those that go in. */
      readonly share: number;
      readonly keys: number | File;
    }
  | { readonly type: 'look'; readonly key: Asked }
  | { readonly type: 'names'; readonly kind: Kind; readonly file: File }
  | {
      readonly type: 'evaluate';
      readonly kinds: readonly Kind[];
      /** 3 is Table 3. */
      readonly figure: number;
      readonly log2Buckets: number;
    }
  | { readonly type: 'space'; readonly kinds: readonly Kind[]; readonly keys: number }
  | { readonly type: 'tables' };

export type Message =
  /** A part of the work that is done, from 0 to 1. */
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'keys'; readonly present: number; readonly absentLines: number }
  | { readonly type: 'begin'; readonly kind: Kind }
  | { readonly type: 'figures'; readonly kind: Kind; readonly figures: Figures }
  | { readonly type: 'end'; readonly kind: Kind; readonly refusal: Refusal | null }
  | { readonly type: 'looks'; readonly looks: readonly Look[] }
  | { readonly type: 'names'; readonly kind: Kind; readonly names: readonly string[] }
  | { readonly type: 'point'; readonly point: Point }
  | { readonly type: 'row'; readonly kind: Kind; readonly row: Row }
  | { readonly type: 'table'; readonly table: TableLoad }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly why: string };

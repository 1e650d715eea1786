// What a visitor can choose of a table, with the ranges that a picture can show.
// Invariant: whether settings inside the ranges make a filter is the core's to say.

/** How an insert finds room where both homes are full: by the paper's walk, or by the library's own search. */
export const SEARCHES = ['random-walk', 'breadth-first'] as const;

export interface Settings {
  readonly bucketCount: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  /** Of a random walk: 0 to 500. */
  readonly maxKicks: number;
  /** `xor` needs a number of buckets that is a power of two. */
  readonly addressing: 'reflect' | 'xor';
  readonly search: (typeof SEARCHES)[number];
  /** Percent of the slots that sample keys fill at the start: 0 to 95. */
  readonly samplePercent: number;
  /** Of the order of the sample keys: 0 to 9,999,999, more than the rounds of the scenes need. */
  readonly seed: number;
  readonly hashSeed: number;
}

export type NumberSetting = Exclude<keyof Settings, 'addressing' | 'search'>;

export const RANGES: Readonly<Record<NumberSetting, readonly [number, number]>> = {
  bucketCount: [1, 32],
  bucketSize: [1, 8],
  fingerprintBits: [4, 16],
  maxKicks: [0, 500],
  samplePercent: [0, 95],
  seed: [0, 9_999_999],
  hashSeed: [0, 99],
};

export const NUMBER_SETTINGS = Object.keys(RANGES) as readonly NumberSetting[];

/**
 * Small enough to see whole, and kicked as in the paper. No two of the first fingerprints are equal. The first sample key
 * after the start needs two kicks, and the seventh finds no room.
 */
export const DEFAULTS: Settings = {
  bucketCount: 8,
  bucketSize: 4,
  fingerprintBits: 8,
  maxKicks: 20,
  addressing: 'xor',
  search: 'random-walk',
  samplePercent: 82,
  seed: 4779,
  hashSeed: 0,
};

/** The same for Chinese readers: seeds that high give Chinese names (samples.ts). */
export const CHINESE_DEFAULTS: Settings = { ...DEFAULTS, seed: 5_006_300 };

export function isSameSettings(one: Settings, other: Settings): boolean {
  return (Object.keys(one) as (keyof Settings)[]).every((name) => one[name] === other[name]);
}

/** Settings from the texts of a form whose fields keep to the ranges. */
export function parsed(texts: FormData): Settings {
  const numbers = NUMBER_SETTINGS.map((name) => [name, Number(texts.get(name))]);
  return {
    ...(Object.fromEntries(numbers) as Record<NumberSetting, number>),
    addressing: texts.get('addressing') === 'xor' ? 'xor' : 'reflect',
    search: texts.get('search') === 'breadth-first' ? 'breadth-first' : 'random-walk',
  };
}

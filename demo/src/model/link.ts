// The page's address: which scene, which table, which operations, and where among their steps.
// Invariant: `parseLink` never throws and gives only what the page can show; parseLink(formatLink(link)) equals the
// link. The core is deterministic, so the same link gives the same trace, bit for bit. VERSION changes when a link
// would come to mean something else; a link of another version opens the start, and says so.
import type { Operation, OperationName } from './trace/state';
import type { Lesson } from './lesson';
import { COURSES, isPlace, type PlaceId } from './places';
import type { Value } from './scenes/task';
import { DEFAULTS, NUMBER_SETTINGS, RANGES, type NumberSetting, type Settings } from './settings';

export const VERSION = 1;

export interface Link {
  readonly place: PlaceId;
  readonly language: 'en' | 'zh' | null;
  /** The way of a talk, by its minutes (places.ts); 0: none. */
  readonly course: number;
  /** Of a scene: the seed of its exercise. */
  readonly round: number;
  /** A table of the visitor's own; null: the one that the place opens with. */
  readonly settings: Settings | null;
  readonly operations: readonly Operation[];
  /** How far the question of a scene has come; null: it begins, or the table is the visitor's own. */
  readonly lesson: Pick<Lesson, 'part' | 'phase' | 'guess'> | null;
  /** What was set on boards and measurements (kept.ts). */
  readonly kept: Readonly<Record<string, Value>>;
  readonly cursor: number;
  readonly isEmbedded: boolean;
  readonly hasChrome: boolean;
  /** True if the link asks for a table that the page cannot show, and gets the nearest one. */
  readonly isMoved: boolean;
  /** False if the link was made for another version of the page. */
  readonly isReadable: boolean;
}

export const HOME: Link = {
  place: 'start',
  language: null,
  course: 0,
  round: 0,
  settings: null,
  operations: [],
  lesson: null,
  kept: {},
  cursor: 0,
  isEmbedded: false,
  hasChrome: true,
  isMoved: false,
  isReadable: true,
};

const LETTERS: Readonly<Record<NumberSetting, string>> = {
  bucketCount: 'm',
  bucketSize: 'b',
  fingerprintBits: 'f',
  maxKicks: 'k',
  samplePercent: 'p',
  seed: 'seed',
  hashSeed: 'h',
};
const OPERATIONS: Readonly<Record<string, OperationName>> = {
  i: 'insert',
  c: 'contains',
  d: 'erase',
  x: 'clear',
};
const MOST_OPERATIONS = 2000;
const MOST_ROUND = 999_999;
const MOST_NUMBERS = 64;

/** The part of an address behind `#`. */
export function formatLink(link: Link): string {
  const parts: [string, string][] = [
    ['v', String(VERSION)],
    ['s', link.place],
  ];
  if (link.course > 0) parts.push(['course', String(link.course)]);
  if (link.round > 0) parts.push(['r', String(link.round)]);
  if (link.settings !== null) {
    for (const name of NUMBER_SETTINGS) parts.push([LETTERS[name], String(link.settings[name])]);
    parts.push(['way', link.settings.addressing]);
    if (link.settings.search === 'random-walk') parts.push(['walk', 'plain']);
  }
  if (link.operations.length > 0) parts.push(['ops', link.operations.map(formatOperation).join(',')]);
  if (link.lesson !== null) {
    parts.push(['q', `${link.lesson.part}.${link.lesson.phase}`]);
    if (link.lesson.guess !== null) parts.push(['g', formatValue(link.lesson.guess)]);
  }
  const kept = Object.entries(link.kept).map(([name, value]) => `${name}:${formatValue(value)}`);
  if (kept.length > 0) parts.push(['x', kept.join(',')]);
  if (link.cursor > 0) parts.push(['at', String(link.cursor)]);
  if (link.language !== null) parts.push(['l', link.language]);
  if (link.isEmbedded) parts.push(['embed', '1']);
  if (!link.hasChrome) parts.push(['chrome', 'none']);
  return parts.map(([name, value]) => `${name}=${value}`).join('&');
}

/** What the texts behind `?` and `#` ask for; the latter counts where both name a thing. */
export function parseLink(hash: string, query = ''): Link {
  const fields = new Map([...fieldsOf(query), ...fieldsOf(hash)]);
  const place = fields.get('s') ?? '';
  const language = fields.get('l') ?? '';
  const look = {
    language: language === 'en' || language === 'zh' ? language : null,
    isEmbedded: fields.get('embed') === '1',
    hasChrome: fields.get('chrome') !== 'none',
  } as const;
  const version = fields.get('v');
  if (version !== undefined && version !== String(VERSION)) return { ...HOME, ...look, isReadable: false };
  const settings = settingsOf(fields);
  return {
    ...look,
    place: isPlace(place) ? place : 'start',
    course: Object.hasOwn(COURSES, fields.get('course') ?? '') ? Number(fields.get('course')) : 0,
    round: numberIn(0, MOST_ROUND, fields.get('r'), 0),
    settings,
    isMoved: settings !== null && isOtherThan(fields, settings),
    operations: operationsOf(fields.get('ops') ?? ''),
    lesson: lessonOf(fields.get('q') ?? '', fields.get('g')),
    kept: keptOf(fields.get('x') ?? ''),
    cursor: numberIn(0, 10_000_000, fields.get('at'), 0),
    isReadable: true,
  };
}

function formatOperation({ name, key }: Operation): string {
  const letter = Object.keys(OPERATIONS).find((each) => OPERATIONS[each] === name) ?? 'x';
  return `${letter}:${encodeURIComponent(key)}`;
}

function fieldsOf(text: string): [string, string][] {
  return text
    .replace(/^[#?]/, '')
    .split('&')
    .filter((part) => part.includes('='))
    .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
}

/** Any one of the letters makes a table of the visitor's own. */
function settingsOf(fields: ReadonlyMap<string, string>): Settings | null {
  const way = fields.get('way');
  const given = NUMBER_SETTINGS.filter((name) => fields.has(LETTERS[name]));
  if (given.length === 0 && way === undefined) return null;
  const numbers = NUMBER_SETTINGS.map((name) => {
    const [least, most] = RANGES[name];
    return [name, numberIn(least, most, fields.get(LETTERS[name]), DEFAULTS[name])];
  });
  const sizes = Object.fromEntries(numbers) as Record<NumberSetting, number>;
  const isPowerOfTwo = (sizes.bucketCount & (sizes.bucketCount - 1)) === 0;
  const addressing = way === 'xor' && isPowerOfTwo ? 'xor' : 'reflect';
  const search = fields.get('walk') === 'plain' ? 'random-walk' : 'breadth-first';
  return { ...sizes, addressing, search };
}

/** Whether the fields ask for another table than this one. */
function isOtherThan(fields: ReadonlyMap<string, string>, settings: Settings): boolean {
  const isOther = NUMBER_SETTINGS.some((name) => {
    const text = fields.get(LETTERS[name]);
    return text !== undefined && Number(text) !== settings[name];
  });
  const isOtherWay = fields.get('way') === 'xor' && settings.addressing !== 'xor';
  return isOther || isOtherWay;
}

function operationsOf(text: string): Operation[] {
  if (text === '') return [];
  return text
    .split(',')
    .slice(0, MOST_OPERATIONS)
    .flatMap((part) => {
      const name = OPERATIONS[part.slice(0, 1)];
      const key = decoded(part.slice(2));
      return name === undefined || part[1] !== ':' || key === null ? [] : [{ name, key }];
    });
}

function lessonOf(text: string, guess: string | undefined): Link['lesson'] {
  const [, part, phase] = /^([01])\.(predict|run|compare)$/.exec(text) ?? [];
  if (phase === undefined) return null;
  return {
    part: part === '1' ? 1 : 0,
    phase: phase as Lesson['phase'],
    guess: guess === undefined ? null : valueOf(guess),
  };
}

function keptOf(text: string): Link['kept'] {
  const entries = text.split(',').flatMap((part): [string, Value][] => {
    const [, name, value] = /^([a-z]+):(.*)$/.exec(part) ?? [];
    const read = value === undefined ? null : valueOf(value);
    return name === undefined || read === null ? [] : [[name, read]];
  });
  return Object.fromEntries(entries);
}

/** A letter for its kind, and what it is: `n5`, `l5;6`, `tfive`. */
function formatValue(value: Value): string {
  if (typeof value === 'string') return `t${encodeURIComponent(value)}`;
  return typeof value === 'number' ? `n${value}` : `l${value.join(';')}`;
}

function valueOf(text: string): Value | null {
  const body = text.slice(1);
  if (text.startsWith('t')) return decoded(body);
  const numbers = body === '' ? [] : body.split(';').slice(0, MOST_NUMBERS).map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  if (text.startsWith('l')) return numbers;
  return text.startsWith('n') ? (numbers[0] ?? null) : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function numberIn(least: number, most: number, text: string | undefined, otherwise: number): number {
  const value = Math.trunc(Number(text));
  if (text === undefined || text.trim() === '' || !Number.isFinite(value)) return otherwise;
  return Math.min(most, Math.max(least, value));
}

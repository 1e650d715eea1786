// The comparison to take away: as a picture of bars and as a table.
// Invariant: both hold what the rows on the page hold, and the link that measures it again.
import { KINDS, type Kind } from './protocol';
import { BARS, barOf, longest, type Bar, type Results } from './results';

export interface PictureWords {
  readonly title: string;
  readonly name: (kind: Kind) => string;
  readonly bar: (bar: Bar) => string;
  readonly value: (bar: Bar, value: number) => string;
  readonly missing: (kind: Kind) => string;
}

const WIDTH = 1080;
const LEFT = 190;
const ROW = 30;
const TOP = 84;
const GAP = 16;

/** Rows of bars, one a filter, as an SVG file. */
export function comparisonSvg(results: Results, words: PictureWords, link: string): string {
  const kinds = KINDS.filter((kind) => results[kind] !== undefined);
  const column = (WIDTH - LEFT) / BARS.length;
  const heads = BARS.map((bar, i) => text(LEFT + i * column, TOP - 12, words.bar(bar), 'font-weight="600"'));
  const rows = kinds.map((kind, row) => {
    const y = TOP + row * ROW;
    const result = results[kind];
    const name = text(12, y + 18, words.name(kind), 'font-weight="600"');
    if (result === undefined || result.state === 'refused')
      return name + text(LEFT, y + 18, words.missing(kind));
    const bars = BARS.map((bar, i) => {
      const value = barOf(result, bar);
      if (value === undefined) return '';
      const length = (value / (longest(results, bar) || 1)) * (column - GAP);
      const x = LEFT + i * column;
      return `<rect x="${x}" y="${y + 3}" width="${length.toFixed(1)}" height="22" fill="#c9d3ff"/>${text(x + 5, y + 18, words.value(bar, value))}`;
    });
    return name + bars.join('');
  });
  const height = TOP + kinds.length * ROW + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#182036">`,
    `<title>${escaped(words.title)}</title><desc>${escaped(link)}</desc>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(12, 30, words.title, 'font-size="17" font-weight="700"'),
    ...heads,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The columns of the table: what was measured, in the module's own names and units. */
const COLUMNS = [
  'wanted',
  'inserted',
  'bytes',
  'bitsPerKey',
  'asked',
  'found',
  'expectedRate',
  'buildSpeed',
  'lookupSpeed',
  'eraseSpeed',
  'linesAbsent',
  'linesPresent',
  'lost',
] as const;

export const HEADINGS: readonly string[] = ['filter', 'state', 'refusal', ...COLUMNS];

export function tableRows(results: Results, name: (kind: Kind) => string): (string | number)[][] {
  return KINDS.flatMap((kind) => {
    const result = results[kind];
    if (result === undefined) return [];
    const { state, refusal, figures } = result;
    return [[name(kind), state, refusal ?? '', ...COLUMNS.map((column) => figures[column] ?? '')]];
  });
}

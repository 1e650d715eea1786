// What stands in the tray above the buckets: the bits of a hash, or the sum that leads from one bucket to the other.
// Invariant: every number is one that the core worked out, told by the trace; `sumText` is what the tray shows, in a row.
import type { Words } from '../../i18n';
import { binary, hex } from '../picture/bits';
import { trayBox, type Layout } from '../picture/layout';
import { kickedOf, operationShown, type Kicked } from './marks';
import { currentStep, type Session } from './session';
import type { Settings } from '../settings';
import type { EventOf, Shape } from './state';

/** What a token is, in words. */
type Label = (t: Words['sum']) => string;

export interface Token {
  readonly text: string;
  readonly label: Label | null;
  readonly look: 'sign' | 'from' | 'hash' | 'to';
}

/** A table's rule for the other bucket, and how its fingerprints are written. */
type Rule = Pick<Settings, 'addressing' | 'bucketCount' | 'fingerprintBits'>;

const MOST_BITS = 8;

/** The ends of a hash: the bits that are home 1, where the number of buckets lets them be that, and the fingerprint's. */
export function hashTokens(
  { primary, rawFingerprint }: EventOf<'locate'>,
  { bucketCount, fingerprintBits: bits }: Pick<Shape, 'bucketCount' | 'fingerprintBits'>,
): Token[] {
  const isCut = bucketCount > 1 && Number.isInteger(Math.log2(bucketCount));
  const kept = bits > MOST_BITS ? hex(rawFingerprint, bits) : rawFingerprint.toString(2).padStart(bits, '0');
  return [
    { text: isCut ? binary(primary, bucketCount) : String(primary), label: (t) => t.home(1), look: 'from' },
    { text: '·····', label: (t) => t.hash, look: 'sign' },
    { text: kept, label: (t) => t.fingerprint, look: 'hash' },
  ];
}

/** How one bucket and a fingerprint's own hash, `offset`, give the other bucket. */
export function sumTokens(
  { addressing, bucketCount }: Rule,
  { from, offset, to }: { readonly from: number; readonly offset: number; readonly to: number },
  labels: readonly [Label, Label, Label],
): Token[] {
  const sign = (text: string): Token => ({ text, label: null, look: 'sign' });
  const [fromLabel, hashLabel, toLabel] = labels;
  if (addressing === 'xor') {
    const bits = (value: number): string => binary(value, bucketCount);
    return [
      { text: bits(from), label: fromLabel, look: 'from' },
      sign('XOR'),
      { text: bits(offset), label: hashLabel, look: 'hash' },
      sign('='),
      { text: bits(to), label: toLabel, look: 'to' },
    ];
  }
  return [
    { text: `(${offset}`, label: hashLabel, look: 'hash' },
    sign('-'),
    { text: `${from})`, label: fromLabel, look: 'from' },
    sign(`mod ${bucketCount}`),
    sign('='),
    { text: String(to), label: toLabel, look: 'to' },
  ];
}

export function homeSum(settings: Rule, event: EventOf<'locate'>): Token[] {
  const { primary: from, alternate: to, offset } = event;
  return sumTokens(settings, { from, offset, to }, [(t) => t.home(1), (t) => t.offset, (t) => t.home(2)]);
}

/** From the bucket that a fingerprint was kicked out of to its other one. */
export function kickSum(settings: Rule, { stored, kick }: Kicked): Token[] {
  const { bucket: from, otherBucket: to } = kick;
  return sumTokens(settings, { from, offset: stored.offset, to }, [
    (t) => t.bucket(from),
    (t) => t.offset,
    (t) => t.bucket(to),
  ]);
}

export function sumText(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ');
}

/** What the strip shows at this step; null: no sum. */
export function tokensOf(session: Session): Token[] | null {
  const step = currentStep(session);
  if (step?.kind === 'locate') return hashTokens(step.event, session.settings);
  if (step?.kind === 'alternate') return homeSum(session.settings, step.event);
  const kicked = kickedOf(operationShown(session));
  return kicked === null ? null : kickSum(session.settings, kicked);
}

/** The bucket that the sum shown leads to; null: none. */
export function litBucket(session: Session): number | null {
  const step = currentStep(session);
  if (step?.kind === 'alternate') return step.event.alternate;
  return kickedOf(operationShown(session))?.kick.otherBucket ?? null;
}

/** A letter's width by its height, in the fonts with letters of one width. */
const LETTER = 0.62;
const GAP = 14;

/** The tokens in a row beside the chip in hand, and the size of their letters: that of a chip's or larger, if it fits. */
export function placed(layout: Layout, tokens: readonly Token[]) {
  const { tray, isNarrow } = layout;
  const chip = trayBox(layout);
  const left = chip.x + chip.width + (isNarrow ? 12 : 24);
  const letters = tokens.reduce((sum, { text }) => sum + text.length, 0);
  const room = tray.x + tray.width - left - 28 - GAP * (tokens.length - 1);
  const size = Math.min(0.48 * tray.height, room / letters / LETTER);
  let x = left;
  const boxes = tokens.map((token) => {
    const box = {
      x,
      y: 0.32 * tray.height - size / 2,
      width: token.text.length * size * LETTER,
      height: size,
    };
    x += box.width + GAP;
    return { ...token, box };
  });
  return { size, tokens: boxes };
}

export function kickSums(session: Session): Token[][] {
  const { found = null, kicks: walked = [], carried = null } = operationShown(session) ?? {};
  const kicks = found?.kicks ?? walked;
  const { slots } = session.place.state;
  return kicks.map((kick) => {
    // Equal fingerprints have equal hashes.
    const stored = [carried, ...slots].find((each) => each?.fingerprint === kick.before);
    return stored ? kickSum(session.settings, { stored, kick }) : [];
  });
}

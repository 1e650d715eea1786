// The tray above the table: the fingerprint that is in hand, and why.
import { words } from '../i18n';
import { hex } from '../model/chip';
import { trayBox, type Layout } from '../model/layout';
import { handOf, operationShown, type Hand } from '../model/marks';
import { focused } from '../model/session';
import { shortened } from '../model/shortened';
import type { Shown } from '../store';
import { Chip } from './chip';
import { isInAir } from './flights';

export function HandView({ store, layout }: { store: Shown; layout: Layout }) {
  const t = words.value;
  const session = store.session.value;
  const hand = handOf(operationShown(session));
  // What is kicked out stands beside its slot, not here.
  const stored = hand.role === 'kicked' ? null : hand.stored;
  const box = trayBox(layout);
  const { tray } = layout;
  const isGrip = store.grip.value === 'hand';
  const isAway = (isGrip && store.dragged.value !== null) || isInAir(store);
  return (
    <g class={`hand is-${hand.role}`}>
      <rect class="hand-tray" x={tray.x + 1} y={1} width={tray.width - 2} height={tray.height - 2} rx={14} />
      {(stored === null || isAway) && (
        <rect class="slot-empty" x={box.x} y={box.y} width={box.width} height={box.height} rx={9} />
      )}
      <g
        class={`${isAway ? 'is-lifted' : ''}${isGrip && stored !== null ? ' is-grip' : ''}`}
        transform={`translate(${box.x} ${box.y})`}
      >
        {stored !== null && (
          <Chip
            fingerprint={stored.fingerprint}
            text={hex(stored.fingerprint, session.settings.fingerprintBits)}
            width={box.width}
            height={box.height}
          />
        )}
      </g>
      <text class="hand-title" x={box.x + box.width + 14} y={tray.height / 2 - 8}>
        {t.hand.title}
      </text>
      <text class="hand-text" x={box.x + box.width + 14} y={tray.height / 2 + 13}>
        {fitting(
          textOf(
            hand,
            t.steps.key(shortened(focused(session)?.key ?? '', lettersIn(tray.width - box.width))),
          ),
          tray.width - box.width - 36,
          layout.isNarrow ? 6.5 : layout.isWide ? 8.5 : 7.5,
        )}
      </text>
    </g>
  );
}

/** Pixels of the longest sentence without its key, and of a letter of the key. */
const SENTENCE = 224;
const LETTER = 9;

/** Letters of a key that fit beside the chip, where `room` pixels are. */
function lettersIn(room: number): number {
  return Math.floor((room - SENTENCE) / LETTER);
}

/** The beginning of a sentence that would leave `room` pixels, at so many a letter; Chinese signs take two. */
function fitting(text: string, room: number, letter: number): string {
  const widths = [...text].map((sign) => (sign > '\u2e80' ? 2 * letter : letter));
  let [most, taken] = [0, 0];
  while (most < widths.length && (taken += widths[most] ?? 0) <= room) ++most;
  return most === widths.length ? text : `${[...text].slice(0, Math.max(0, most - 1)).join('')}…`;
}

function textOf(hand: Hand, key: string): string {
  const t = words.value.hand;
  if (hand.role === 'empty' || hand.role === 'taken') return t[hand.role];
  return t[hand.role](key);
}

// The tray above the table: the fingerprint that is in hand, and why.
import { words } from '../i18n';
import { hex } from '../model/chip';
import { trayBox, type Layout } from '../model/layout';
import { slotInMotion } from '../model/motion';
import { handOf, operationShown, type Hand } from '../model/marks';
import { focused } from '../model/session';
import type { Shown } from '../store';
import { Chip } from './chip';

export function HandView({ store, layout }: { store: Shown; layout: Layout }) {
  const t = words.value;
  const session = store.session.value;
  const hand = handOf(operationShown(session));
  const box = trayBox(layout);
  const { tray } = layout;
  const isGrip = store.grip.value === 'hand';
  const isAway =
    (isGrip && store.dragged.value !== null) ||
    (store.isMoving.value && session.motion !== null && slotInMotion(session.motion.step) !== null);
  return (
    <g class={`hand is-${hand.role}`}>
      <rect class="hand-tray" x={tray.x + 1} y={1} width={tray.width - 2} height={tray.height - 2} rx={14} />
      {(hand.stored === null || isAway) && (
        <rect class="slot-empty" x={box.x} y={box.y} width={box.width} height={box.height} rx={9} />
      )}
      <g
        class={`${isAway ? 'is-lifted' : ''}${isGrip ? ' is-grip' : ''}`}
        transform={`translate(${box.x} ${box.y})`}
      >
        {hand.stored !== null && (
          <Chip
            fingerprint={hand.stored.fingerprint}
            text={hex(hand.stored.fingerprint, session.settings.fingerprintBits)}
            width={box.width}
            height={box.height}
          />
        )}
      </g>
      <text class="hand-title" x={box.x + box.width + 14} y={tray.height / 2 - 8}>
        {t.hand.title}
      </text>
      <text class="hand-text" x={box.x + box.width + 14} y={tray.height / 2 + 13}>
        {textOf(hand, t.steps.key(shortened(focused(session)?.key ?? '', tray.width - box.width)))}
      </text>
    </g>
  );
}

/** Pixels of the longest sentence without its key, and of a letter of the key. */
const SENTENCE = 224;
const LETTER = 9;

/** A key that fits beside the chip: its middle is left out if it is long. */
function shortened(key: string, room: number): string {
  const letters = [...key];
  const most = Math.floor((room - SENTENCE) / LETTER);
  if (letters.length <= most) return key;
  const half = Math.max(0, Math.floor((most - 1) / 2));
  return `${letters.slice(0, half).join('')}…${letters.slice(letters.length - half).join('')}`;
}

function textOf(hand: Hand, key: string): string {
  const t = words.value.hand;
  if (hand.role === 'kicked') return t.kicked(hand.destination ?? 0);
  if (hand.role === 'empty' || hand.role === 'taken') return t[hand.role];
  return t[hand.role](key);
}

// The tray above the buckets: the fingerprint in hand, and the bits or the sum that show where it belongs.
import { words } from '../../i18n';
import { hex } from '../../model/picture/chip';
import { trayBox, type Layout } from '../../model/picture/layout';
import { handOf, operationShown, type Hand } from '../../model/trace/marks';
import { focused, type Session } from '../../model/trace/session';
import { shortened } from '../../model/shortened';
import { kickSums, labelOf, placed, sumText, tokensOf } from '../../model/trace/sum';
import type { Store } from '../../app/store';
import { Chip } from './chip';
import { isInAir } from './flights';
import { kickTold, lighting, litClass } from './lit';

export function HandView({ store, layout }: { store: Store; layout: Layout }) {
  const session = store.session.value;
  const { role, stored } = handOf(operationShown(session));
  const box = trayBox(layout);
  const { tray } = layout;
  const isAway = isInAir(store);
  return (
    <g class={`hand is-${role}`}>
      <rect class="hand-tray" x={tray.x + 1} y={1} width={tray.width - 2} height={tray.height - 2} rx={14} />
      {(stored === null || isAway) && (
        <rect class="slot-empty" x={box.x} y={box.y} width={box.width} height={box.height} rx={9} />
      )}
      <g class={isAway ? 'is-lifted' : ''} transform={`translate(${box.x} ${box.y})`}>
        {stored !== null && (
          <Chip
            fingerprint={stored.fingerprint}
            text={hex(stored.fingerprint, session.settings.fingerprintBits)}
            width={box.width}
            height={box.height}
          />
        )}
      </g>
      {!store.hidesHomes.value && tokensOf(session) !== null ? (
        <Sum store={store} layout={layout} />
      ) : (
        <Told session={session} layout={layout} />
      )}
    </g>
  );
}

/** The sum, once the chips have come to rest. */
function Sum({ store, layout }: { store: Store; layout: Layout }) {
  const t = words.value.sum;
  const session = store.session.value;
  const kind = session.motion?.step.kind;
  if (isInAir(store) && kind !== 'locate') return null;
  const kick = kickTold(store);
  const { size, tokens } = placed(layout, tokensOf(session) ?? []);
  return (
    <g class={`board-sum${litClass(store, kick)}`} aria-hidden="true" {...lighting(store, kick)}>
      {tokens.map(({ text, label, look, box }, i) => (
        <g key={i} class={`token is-${look}`}>
          <text class="token-text" x={box.x + box.width / 2} y={box.y + box.height / 2} font-size={size}>
            {text}
          </text>
          {label !== null && (
            <text class="token-label" x={box.x + box.width / 2} y={layout.tray.height - 10}>
              {labelOf(label, t)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Where there is no sum: what the hand holds, in words; at the end of a kick path, its sums. */
function Told({ session, layout }: { session: Session; layout: Layout }) {
  const t = words.value;
  const box = trayBox(layout);
  const { tray } = layout;
  const operation = operationShown(session);
  const room = tray.width - box.width - 36;
  const sums = operation?.end?.result === 'added' ? kickSums(session).map(sumText) : [];
  const letter = layout.isNarrow ? 6.5 : layout.isWide ? 8.5 : 7.5;
  const hand = handOf(operation);
  const name = focused(session)?.key ?? '';
  const left = (room - widthOf(textOf(hand, '“”'), letter)) / Math.max(1, widthOf(name, letter));
  const key = t.steps.key(shortened(name, Math.floor(left * name.length)));
  return (
    <>
      <text class="hand-title" x={box.x + box.width + 14} y={tray.height / 2 - 9}>
        {sums.length > 0 ? t.hand.sums : t.hand.title}
      </text>
      <text class="hand-text" x={box.x + box.width + 14} y={tray.height / 2 + 12}>
        {sums.length > 0 ? lastSums(sums, room, DIGIT * letter) : fitting(textOf(hand, key), room, letter)}
      </text>
    </>
  );
}

/** Digits and capitals are wider than the letters of a sentence. */
const DIGIT = 1.25;

/** As many of the sums as there is room for, the last ones. */
function lastSums(sums: readonly string[], room: number, letter: number): string {
  const written = (first: number): string => `${first > 0 ? '… · ' : ''}${sums.slice(first).join(' · ')}`;
  const first = sums.findIndex((_, i) => widthOf(written(i), letter) <= room);
  return fitting(written(first < 0 ? sums.length - 1 : first), room, letter);
}

/** Pixels of a text, at so many a letter; Chinese signs take two. */
function widthOf(text: string, letter: number): number {
  return [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? 2 * letter : letter), 0);
}

/** The beginning of a sentence that would leave `room` pixels. */
function fitting(text: string, room: number, letter: number): string {
  if (widthOf(text, letter) <= room) return text;
  const signs = [...text];
  while (signs.length > 0 && widthOf(signs.join(''), letter) > room - letter) signs.pop();
  return `${signs.join('')}…`;
}

function textOf(hand: Hand, key: string): string {
  const t = words.value.hand;
  if (hand.role === 'empty' || hand.role === 'taken' || hand.role === 'kicked') return t[hand.role];
  return t[hand.role](key);
}

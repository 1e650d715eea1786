// The tray above the buckets: the fingerprint in hand, and the bits or the sum that show where it belongs.
import { words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import { trayBox, type Layout } from '../../model/picture/layout';
import { movesHand } from '../../model/picture/motion';
import { handOf, operationShown, type Hand } from '../../model/trace/marks';
import { placed, tokensOf } from '../../model/trace/sum';
import type { Store } from '../../app/store';
import { Chip } from './chip';
import { isInAir } from './flights';
import { kickTold, lighting, litClass } from './lit';
import { isHandNamed } from './slot';

export function HandView({ store, layout }: { store: Store; layout: Layout }) {
  const session = store.session.value;
  const { role, stored } = handOf(operationShown(session));
  const box = trayBox(layout);
  const { tray } = layout;
  const step = session.motion?.step;
  const isAway = store.isMoving.value && step !== undefined && movesHand(step);
  return (
    <g class={`hand is-${role}${isHandNamed(store) ? ' is-named' : ''}`}>
      <rect class="hand-tray" x={tray.x + 1} y={1} width={tray.width - 2} height={tray.height - 2} rx={14} />
      {(stored === null || isAway) && <rect class="slot-empty" {...box} rx={9} />}
      {stored !== null && !isAway && (
        <Chip {...box} {...stored} text={hex(stored.fingerprint, session.settings.fingerprintBits)} />
      )}
      {!store.hidesHomes.value && !store.isPlain.value && tokensOf(session) !== null ? (
        <Sum store={store} layout={layout} />
      ) : (
        <Told role={isAway ? null : role} layout={layout} />
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
            <text class="token-label" x={box.x + box.width / 2} y={0.72 * layout.tray.height}>
              {label(t)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Where there is no sum: what the hand holds, in words; null: that is on its way. */
function Told({ role, layout }: { role: Hand['role'] | null; layout: Layout }) {
  const t = words.value.hand;
  const box = trayBox(layout);
  const { height } = layout.tray;
  return (
    <>
      <text class="hand-title" x={box.x + box.width + 14} y={0.3 * height}>
        {t.title}
      </text>
      <text class="hand-text" x={box.x + box.width + 14} y={0.7 * height}>
        {role && t[role]}
      </text>
    </>
  );
}

// Beside a full bucket: what looking ahead saw of each fingerprint in it, and the one that was kicked out with the sum
// that tells where it goes.
// Invariant: all of it stands in the aisles, so that no slot is covered.
import { words } from '../i18n';
import { hex } from '../model/chip';
import { slotBox, type Layout } from '../model/layout';
import { carriedBox, kickedOf, operationShown } from '../model/marks';
import { currentStep } from '../model/session';
import type { Look } from '../model/steps';
import { sumOf } from '../model/story';
import type { Shown } from '../store';
import { Chip } from './chip';
import { isInAir } from './flights';

/** Pixels of a character of the sum. */
const LETTER = 7.6;

/** The fingerprint that has to leave, at the beginning of its arrow. */
export function Carried({ store, layout }: { store: Shown; layout: Layout }) {
  const session = store.session.value;
  const operation = operationShown(session);
  const kicked = kickedOf(operation);
  if (kicked === null || isInAir(store)) return null;
  const isHeld = store.grip.value === 'hand';
  if (isHeld && store.dragged.value !== null) return null;
  const { fingerprint } = kicked.stored;
  const box = carriedBox(operation, layout);
  // A learner who plays the filter works it out.
  const sum = store.grip.value === null ? sumOf(session, kicked, words.value) : '';
  const width = LETTER * sum.length + 10;
  const isLeft = box.x - width > 0;
  const x = isLeft ? box.x - width - 2 : box.x + box.width + 2;
  return (
    <g class={`carried${isHeld ? ' is-grip' : ''}`} aria-hidden="true">
      {sum !== '' && (
        <g class="kick-sum">
          <rect x={x} y={box.y} width={width} height={box.height} rx={6} />
          <text x={x + width / 2} y={box.y + box.height / 2}>
            {sum}
          </text>
        </g>
      )}
      <g transform={`translate(${box.x} ${box.y})`}>
        <Chip
          fingerprint={fingerprint}
          text={hex(fingerprint, session.settings.fingerprintBits)}
          width={box.width}
          height={box.height}
        />
      </g>
    </g>
  );
}

/** Small dotted arrows below the slots of a bucket, to the other bucket of each, marked where there is room. */
export function Looks({ store, layout }: { store: Shown; layout: Layout }) {
  const step = currentStep(store.session.value);
  if (step?.kind !== 'ahead' || step.chosen === null) return null;
  const { bucket, slot } = step.chosen;
  return (
    <g class="looks" aria-hidden="true">
      {step.looks.map((look) => (
        <LookArrow
          key={look.slot}
          look={look}
          bucket={bucket}
          layout={layout}
          isChosen={look.slot === slot}
        />
      ))}
    </g>
  );
}

interface LookArrowProps {
  readonly look: Look;
  readonly bucket: number;
  readonly layout: Layout;
  readonly isChosen: boolean;
}

function LookArrow({ look, bucket, layout, isChosen }: LookArrowProps) {
  const t = words.value.why;
  const box = slotBox(layout, bucket, look.slot);
  const [left, top] = [box.x + 8, box.y + box.height];
  const middle = top + layout.aisleY / 2;
  const hasRoom = look.room !== null;
  return (
    <g class={`look${hasRoom ? ' has-room' : ''}${isChosen ? ' is-chosen' : ''}`}>
      <path class="look-line" d={`M${left} ${top + 1}V${middle}H${left + 12}`} />
      <path class="look-head" d={`M${left + 18} ${middle}l-7-4v8Z`} />
      <text x={left + 22} y={middle}>
        {`${look.to} ${layout.isNarrow ? (hasRoom ? '\u2713' : '\u00d7') : hasRoom ? t.room : t.full}`}
      </text>
    </g>
  );
}

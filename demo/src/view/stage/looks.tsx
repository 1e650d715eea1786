// Beside a full bucket: what looking ahead saw of each fingerprint in it.
// Invariant: all of it stands in the aisles, so that no slot is covered.
import { words } from '../../i18n';
import { slotBox, type Layout } from '../../model/picture/layout';
import { currentStep } from '../../model/trace/session';
import type { Look } from '../../model/trace/steps';
import type { Store } from '../../app/store';

/** Small dotted arrows below the slots of a bucket, to the other bucket of each, marked where there is room. */
export function Looks({ store, layout }: { store: Store; layout: Layout }) {
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

// The kick path as numbered arrows, and the thin line from a chip to its other home.
import { useMemo } from 'preact/hooks';
import { labelBox, slotBox, type Layout } from '../../model/picture/layout';
import { apart, routeBetween, routeOfSum } from '../../model/picture/route';
import { currentStep } from '../../model/trace/session';
import { arrowsOf, type Arrow } from '../../model/trace/marks';
import { otherHome, storedAt } from '../../model/trace/state';
import type { Store } from '../../app/store';
import { isInAir } from './flights';
import { lighting, litClass } from './lit';

export function Arrows({ store, layout }: { store: Store; layout: Layout }) {
  // Where the kicked one goes is shown with the sum that says so, when the chips have come to rest.
  const session = store.session.value;
  const { place, focus } = session;
  const all = useMemo(() => arrowsOf(session, layout), [place, focus, layout]);
  const isResting = !isInAir(store);
  return <ArrowsOf arrows={all.filter(({ isOpen }) => !isOpen || isResting)} store={store} />;
}

interface ArrowsProps {
  readonly arrows: readonly Arrow[];
  readonly store?: Store;
  /** That no other arrows of the page have. */
  readonly name?: string;
}

/** In layers: all lines, above them all heads, above those all numbers. With a `store`, a kick lights up together with its sentence. */
export function ArrowsOf({ arrows, store, name = 'arrow' }: ArrowsProps) {
  const lookOf = ({ number, look, isOpen }: Arrow): string =>
    `arrow is-${look}${isOpen ? ' is-open' : ''}${store === undefined ? '' : litClass(store, number)}`;
  const kicks = arrows.filter(({ number }) => number !== null);
  const places = apart(kicks.map(({ route }) => route.badge));
  return (
    <g class="arrows" aria-hidden="true">
      {arrows.map((arrow, i) => (
        <g key={`line ${arrow.number ?? -i}`} class={lookOf(arrow)}>
          <mask id={`${name}${i}`} maskUnits="userSpaceOnUse" height="200%">
            <rect width="100%" height="200%" fill="#fff" />
            {arrows.slice(i + 1).map(({ route }, above) => (
              <path key={above} class="arrow-halo" d={route.line} />
            ))}
          </mask>
          <path class="arrow-line" d={arrow.route.line} mask={`url(#${name}${i})`} />
        </g>
      ))}
      {arrows.map((arrow, i) => (
        <g key={`head ${arrow.number ?? -i}`} class={lookOf(arrow)}>
          <path class="arrow-head" d={arrow.route.head} />
        </g>
      ))}
      {kicks.map(({ number, look, route }, i) => {
        const { x, y } = places[i] ?? route.badge;
        const told = store === undefined ? {} : lighting(store, number);
        return (
          <g key={number} class={`arrow is-${look}`} transform={`translate(${x} ${y})`} {...told}>
            <circle class="arrow-badge" r={10} />
            <text class="arrow-number">{number}</text>
          </g>
        );
      })}
    </g>
  );
}

/** From home 1 to home 2, in the step that works it out. */
export function SumArrow({ store, layout }: { store: Store; layout: Layout }) {
  const step = currentStep(store.session.value);
  if (step?.kind !== 'alternate' || step.event.homesCoincide) return null;
  const { line, head } = routeOfSum(layout, step.event.primary, step.event.alternate);
  return (
    <g class="sum-arrow" aria-hidden="true">
      <path class="arrow-line" d={line} />
      <path class="arrow-head" d={head} />
    </g>
  );
}

/** From the slot pointed at to the other home of its fingerprint. */
export function HomeLink({ store, layout }: { store: Store; layout: Layout }) {
  const cell = store.pointed.value;
  const stored = cell === null ? null : storedAt(store.session.value.place.state, cell.bucket, cell.slot);
  if (cell === null || stored === null || store.hidesHomes.value) return null;
  const from = slotBox(layout, cell.bucket, cell.slot);
  const route = routeBetween(layout, from, labelBox(layout, otherHome(stored, cell.bucket)));
  return (
    <g class="home-link" aria-hidden="true">
      <path class="arrow-line" d={route.line} />
      <path class="arrow-head" d={route.head} />
    </g>
  );
}

// The two tables of names: a chip for each name, and a line between the two places of each.
// Invariant: it draws a frame and computes nothing of the table. Chips move by the style's transition alone, so that a
// reader who asked for less motion sees the same pictures.
import { words } from '../../i18n';
import type { Frame } from '../../model/names';
import { isHan, shortened } from '../../model/text';
import { Chip, hueStyle } from '../stage/chip';
import { useWidth } from '../width';

interface BoardProps {
  readonly frame: Frame;
  /** All names in the order they came: each has a colour of its own. */
  readonly order: readonly string[];
  /** The largest scale at which it is drawn if there is room: 1 is its normal size. */
  readonly most: number;
}

const ROW = 48;
const CHIP = 36;
const TOP = 68;
const NUMBER = 24;
/** Width in pixels of a letter and of a Chinese character. */
const [LETTER, SIGN] = [9, 16];

export function NamesBoard({ frame, order, most }: BoardProps) {
  const t = words.value.names;
  const { host, width } = useWidth<HTMLDivElement>();
  const full = Math.min(720, width.value);
  const perTable = frame.slots.length / 2;
  const height = TOP + perTable * ROW;
  const scale = Math.min(most, width.value / full);
  const chip = Math.min(150, Math.floor((full - 2 * NUMBER) * 0.31));
  const left = (slot: number): number => (slot < perTable ? NUMBER : full - NUMBER - chip);
  const top = (slot: number): number => TOP + (slot % perTable) * ROW + (ROW - CHIP) / 2;
  /** In the middle between the tables: beside the slot left, or on top for a new name. */
  const placeOf = (name: string): { x: number; y: number } => {
    const slot = frame.slots.indexOf(name);
    if (slot !== -1) return { x: left(slot), y: top(slot) };
    if (frame.from === null) return { x: (full - chip) / 2, y: 24 };
    const inwards = (frame.from < perTable ? 1 : -1) * (chip + 10);
    return { x: left(frame.from) + inwards, y: top(frame.from) };
  };
  // The hue of a chip, without its meaning.
  const colourOf = (name: string): number => order.indexOf(name) + 1;
  const named = [...new Set([...frame.slots, frame.hand])].filter((name) => name !== null);
  return (
    <div class="stage names-stage grid" ref={host}>
      {full > 0 && (
        <svg
          class="picture names"
          width={full * scale}
          height={height * scale}
          viewBox={`0 0 ${full} ${height}`}
          aria-hidden="true"
        >
          {[0, 1].map((table) => (
            <text key={table} class="names-title" x={left(table * perTable) + chip / 2} y={TOP - 12}>
              {t.table(table)}
            </text>
          ))}
          {frame.hand !== null && frame.from === null && (
            <text class="names-title" x={full / 2} y={11}>
              {t.hand}
            </text>
          )}
          {frame.slots.map((_, slot) => (
            <g key={slot}>
              <text
                class="names-number"
                x={slot < perTable ? NUMBER - 12 : full - NUMBER + 12}
                y={top(slot) + CHIP / 2}
              >
                {slot % perTable}
              </text>
              {frame.slots[slot] === null && (
                <rect class="slot-empty" x={left(slot)} y={top(slot)} width={chip} height={CHIP} rx={9} />
              )}
            </g>
          ))}
          {named.map((name) => {
            const [one, other] = frame.places.get(name) ?? [0, perTable];
            return (
              <g
                key={name}
                class={`names-line${name === frame.hand ? ' is-active' : ''}`}
                style={hueStyle(colourOf(name))}
              >
                <path
                  d={`M${left(one) + chip} ${top(one) + CHIP / 2}L${left(other)} ${top(other) + CHIP / 2}`}
                />
                <circle cx={left(one) + chip} cy={top(one) + CHIP / 2} r={4} />
                <circle cx={left(other)} cy={top(other) + CHIP / 2} r={4} />
              </g>
            );
          })}
          {named.map((name) => {
            const { x, y } = placeOf(name);
            return (
              <g key={name} class="names-chip" style={{ transform: `translate(${x}px, ${y}px)` }}>
                <Chip
                  fingerprint={colourOf(name)}
                  text={shortened(name, chip / (isHan(name) ? SIGN : LETTER))}
                  width={chip}
                  height={CHIP}
                />
                {name === frame.hand && <rect class="names-ring" width={chip} height={CHIP} rx={9} />}
              </g>
            );
          })}
        </svg>
      )}
      <ul class="visually-hidden" aria-label={t.tables}>
        {frame.slots.map((name, slot) => {
          const pair = name === null ? undefined : frame.places.get(name);
          const other = pair?.find((each) => each !== slot) ?? slot;
          return <li key={slot}>{t.slot(slot, perTable, name, other)}</li>;
        })}
      </ul>
    </div>
  );
}

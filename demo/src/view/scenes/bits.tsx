// A row of bits. To a reader it is its number; bits that can be flipped are buttons.
import { words } from '../../i18n';

interface BitsProps {
  /** A question mark stands for a bit that is not known yet. */
  readonly bits: readonly (number | '?')[];
  /** The CSS class of the bit at a place. */
  readonly look?: (at: number) => string;
  /** Called with the bit's place, 0 the lowest. */
  readonly onFlip?: ((place: number) => void) | undefined;
  /** What the row is, for the names of its buttons. */
  readonly label: string;
}

export function Bits({ bits, look = () => '', onFlip, label }: BitsProps) {
  if (onFlip === undefined) {
    return (
      <span class="bits" role="img" aria-label={words.value.plot.named(label, bits.join(''))}>
        {bits.map((bit, at) => (
          <span key={at} class={`bit ${look(at)}`}>
            {bit}
          </span>
        ))}
      </span>
    );
  }
  return (
    <span class="bits" role="group" aria-label={label}>
      {bits.map((bit, at) => (
        <button
          key={at}
          type="button"
          class={`bit ${look(at)}`}
          aria-label={words.value.boards.flip(bits.length - 1 - at, Number(bit))}
          onClick={() => onFlip(bits.length - 1 - at)}
        >
          {bit}
        </button>
      ))}
    </span>
  );
}

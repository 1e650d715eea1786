// A fingerprint as a chip: hexadecimal text, a hue and a notch.
import type { CSSProperties } from 'preact';
import { chipOutline, hueOf } from '../../model/picture/chip';

interface ChipProps {
  readonly fingerprint: number;
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Leaves room below for a name from the notebook. */
  readonly hasName?: boolean;
}

/** The hue that styles/stage.css makes colours of. */
export function hueStyle(fingerprint: number): CSSProperties {
  return { '--hue': hueOf(fingerprint) } as CSSProperties;
}

export function Chip({ fingerprint, text, width, height, hasName = false }: ChipProps) {
  return (
    <g class="chip" style={hueStyle(fingerprint)}>
      <path class="chip-body" d={chipOutline(width, height, fingerprint)} />
      <text class="chip-text" x={width / 2} y={height / 2 - (hasName ? 7 : 0)}>
        {text}
      </text>
    </g>
  );
}

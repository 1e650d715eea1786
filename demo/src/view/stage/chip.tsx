// A fingerprint as a chip: hexadecimal text and a hue. In a line of text it looks the same (print.tsx).
import type { CSSProperties } from 'preact';
import { hueOf } from '../../model/picture/chip';

interface ChipProps {
  readonly fingerprint: number;
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** The hue that styles/stage.css makes colours of. */
export function hueStyle(fingerprint: number): CSSProperties {
  return { '--hue': hueOf(fingerprint) } as CSSProperties;
}

export function Chip({ fingerprint, text, width, height }: ChipProps) {
  return (
    <g class="chip" style={hueStyle(fingerprint)}>
      <rect class="chip-body" width={width} height={height} rx={height / 4} />
      <text class="chip-text" x={width / 2} y={height / 2}>
        {text}
      </text>
    </g>
  );
}

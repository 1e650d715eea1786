// A fingerprint as a chip: hexadecimal text, a hue and a notch.
import type { CSSProperties } from 'preact';
import { chipOutline, hueOf } from '../model/chip';

interface ChipProps {
  readonly fingerprint: number;
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** A key's name from the notebook; empty for none. */
  readonly name?: string;
}

export function Chip({ fingerprint, text, width, height, name = '' }: ChipProps) {
  const hue = { '--hue': hueOf(fingerprint) } as CSSProperties;
  return (
    <g class="chip" style={hue}>
      <path class="chip-body" d={chipOutline(width, height, fingerprint)} />
      <text class="chip-text" x={width / 2} y={height / 2 - (name === '' ? 0 : 7)}>
        {text}
      </text>
      {name !== '' && (
        <text class="chip-name" x={width / 2} y={height / 2 + 11} aria-hidden="true">
          {name}
        </text>
      )}
    </g>
  );
}

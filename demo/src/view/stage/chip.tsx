// A fingerprint as a chip, in the picture or in a line of text: hexadecimal text and a hue.
import type { ComponentChildren, CSSProperties } from 'preact';
import { hueOf, toneOf } from '../../model/picture/bits';
import type { Point } from '../../model/picture/lanes';
import type { Box } from '../../model/picture/layout';

/** Without a place it stands where its parent does. */
interface ChipProps extends Pick<Box, 'width' | 'height'>, Partial<Point> {
  readonly fingerprint: number;
  readonly text: string;
}

export function hueStyle(fingerprint: number): CSSProperties {
  return { '--hue': hueOf(fingerprint), '--tone': toneOf(fingerprint) } as CSSProperties;
}

export function Chip({ fingerprint, text, width, height, x = 0, y = 0 }: ChipProps) {
  return (
    <g class="chip" style={hueStyle(fingerprint)} transform={`translate(${x} ${y})`}>
      <rect class="chip-body" width={width} height={height} rx={height / 4} />
      <text class="chip-text" x={width / 2} y={height / 2}>
        {text}
      </text>
    </g>
  );
}

export function Print({ fingerprint, text }: { fingerprint: number; text: string }) {
  return (
    <code class="print" style={hueStyle(fingerprint)}>
      {text}
    </code>
  );
}

/** A text with its fingerprints as chips, and its commands as code. */
export function marked(text: string): ComponentChildren {
  return text.split(/(\b0x[0-9a-f]+|npm (?:start|pack|run \S+(?: -- \w+)?))/).map((part, i) => {
    if (i % 2 === 0) return part;
    if (!part.startsWith('0x')) return <code key={i}>{part}</code>;
    return <Print key={i} fingerprint={Number(part)} text={part} />;
  });
}

// Fingerprints in a line of text, each with the look of its chip.
import { hueStyle } from './chip';

export function Print({ fingerprint, text }: { fingerprint: number; text: string }) {
  return (
    <code class="print" style={hueStyle(fingerprint)}>
      {text}
    </code>
  );
}

/** A sentence, its fingerprints as chips. */
export function Told({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/(\b0x[0-9a-f]+)/)
        .map((part, i) => (i % 2 === 1 ? <Print key={i} fingerprint={Number(part)} text={part} /> : part))}
    </>
  );
}

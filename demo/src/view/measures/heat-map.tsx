// All slots of a large table, a pixel each: dark where a fingerprint lies.
import { useEffect, useRef } from 'preact/hooks';
import '../../styles/card.css';

interface HeatMapProps {
  /** Drawn anew when it is another array. */
  readonly slots: Uint32Array;
  readonly label: string;
}

/** Columns of a map of `count` slots: twice as wide as high, a power of two. */
function columnsOf(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.sqrt(2 * count)));
}

export function HeatMap({ slots, label }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = useRef<ImageData | null>(null);
  const columns = columnsOf(slots.length);
  const rows = Math.ceil(slots.length / columns);
  useEffect(() => {
    // In memory: every frame writes all pixels.
    const context = canvas.current?.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context) return;
    if (image.current?.width !== columns || image.current.height !== rows)
      image.current = context.createImageData(columns, rows);
    paint(context, image.current, slots);
  }, [slots, columns, rows]);
  return <canvas class="heat-map" ref={canvas} width={columns} height={rows} role="img" aria-label={label} />;
}

/** One write for the whole picture. Its colours are the element's own, which follow the theme. */
function paint(context: CanvasRenderingContext2D, image: ImageData, slots: Uint32Array): void {
  const style = getComputedStyle(context.canvas);
  const full = pixelOf(style.color);
  const empty = pixelOf(style.backgroundColor);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < slots.length; ++i) pixels[i] = slots[i] === 0 ? empty : full;
  // The last row may be longer than the table.
  pixels.fill(empty, slots.length);
  context.putImageData(image, 0, 0);
}

/** A computed colour, `rgb(r, g, b)`, as the four bytes of a pixel. */
function pixelOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0] ?? 0;
}

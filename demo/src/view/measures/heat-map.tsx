// All slots of a large table, a square each: dark where a fingerprint lies.
// Invariant: a square is a whole number of the device's pixels, so that all are equally large, unless there are more slots than
// pixels: then the browser mixes them.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import '../../styles/card.css';

/** Drawn anew when `slots` is another array. */
export function HeatMap({ slots, label }: { slots: Uint32Array; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = useRef<ImageData | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const room = useSignal({ pixels: 0, density: 1 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) room.value = roomIn(entry.target);
    });
    if (host.current !== null) observer.observe(host.current);
    return () => observer.disconnect();
  }, [room]);
  const { pixels, density } = room.value;
  const { columns, side } = planOf(slots.length, pixels, density);
  const rows = Math.ceil(slots.length / columns);
  useEffect(() => {
    // In memory: every frame writes all pixels.
    const context = canvas.current?.getContext('2d', { willReadFrequently: true });
    if (!context) return;
    if (image.current?.width !== columns || image.current.height !== rows)
      image.current = context.createImageData(columns, rows);
    paint(context, image.current, slots);
  }, [slots, columns, rows]);
  return (
    <div ref={host}>
      <canvas
        class={side > 0 ? 'heat-map' : 'heat-map is-mixed'}
        style={side > 0 ? { width: `${(columns * side) / density}px` } : {}}
        ref={canvas}
        width={columns}
        height={rows}
        role="img"
        aria-label={label}
      />
    </div>
  );
}

/** The pixels of the device across an element, and how many of them a pixel of the style has, whatever scales the page. */
function roomIn(element: Element): { readonly pixels: number; readonly density: number } {
  const across = devicePixelRatio * element.getBoundingClientRect().width;
  return { pixels: Math.floor(across), density: across / parseFloat(getComputedStyle(element).width) };
}

/** The most pixels of the style along the side of a slot. */
const MOST_SIDE = 24;

/** A map about twice as wide as high: its columns, and the device's pixels along the side of a slot; 0: less than one. */
function planOf(count: number, room: number, density: number) {
  const across = Math.sqrt(2 * count);
  const pixels = Math.min(room, MOST_SIDE * density * across);
  const side = Math.round(pixels / across);
  return { side, columns: side > 0 ? Math.floor(pixels / side) : Math.ceil(across) };
}

/** One write for the whole picture. Its colours are the element's own, which follow the theme. */
function paint(context: CanvasRenderingContext2D, image: ImageData, slots: Uint32Array): void {
  const style = getComputedStyle(context.canvas);
  const full = pixelOf(style.color);
  const empty = pixelOf(style.borderTopColor);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < slots.length; ++i) pixels[i] = slots[i] === 0 ? empty : full;
  // The last row may be longer than the table.
  pixels.fill(0, slots.length);
  context.putImageData(image, 0, 0);
}

/** A computed colour, `rgb(r, g, b)`, as the four bytes of a pixel. */
function pixelOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0] ?? 0;
}

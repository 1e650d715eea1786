// What can be taken away: the picture as SVG or PNG, the operations as CSV, the trace as JSON.
// Invariant: each file carries the link that shows the same thing again; nothing is computed here.
import type { Page } from '../app/page';
import { eventsOf } from '../model/scenes/read';

/** The operations, one a line. */
export function operationsCsv(page: Page, link: string): string {
  const { timeline } = page.store.session.value;
  const rows = timeline.operations.map(({ number, name, key, end }) =>
    [number, name, key, end.result, end.kicks, end.size].map(csvField).join(','),
  );
  return [`# ${link}`, 'operation,name,key,result,kicks,size', ...rows, ''].join('\n');
}

/** Rows of numbers or texts, one a line, below their headings. */
export function tableCsv(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [headings, ...rows, []].map((row) => row.map(csvField).join(',')).join('\n');
}

/** Every event of every operation. Hashes are hexadecimal texts, as JSON has no integers of 64 bits. */
export function traceJson(page: Page, link: string): string {
  const session = page.store.session.value;
  const operations = session.timeline.operations.map(({ name, key }, i) => ({
    name,
    key,
    events: eventsOf(session, i),
  }));
  const { settings } = session;
  return JSON.stringify({ link, settings, operations }, withTexts, 1);
}

function withTexts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `0x${value.toString(16).padStart(16, '0')}` : value;
}

/**
 * Spreadsheets take a text that begins with one of these for a formula, so an apostrophe stands before it. Source: OWASP,
 * "CSV injection".
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function csvField(value: unknown): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A picture of the page as a file of its own: every look is written into it. */
function svgText(picture: SVGSVGElement, title: string, link: string): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copyLooks(picture, copy);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.querySelectorAll('.slot-focus').forEach((shape) => shape.remove());
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute(
    'fill',
    getComputedStyle(picture.closest('.theatre, .plot') ?? document.body).backgroundColor,
  );
  copy.prepend(element('title', title), element('desc', link), ground);
  return new XMLSerializer().serializeToString(copy);
}

function element(name: string, text: string): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  made.textContent = text;
  return made;
}

/** What a stylesheet may say about a shape or a text. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
] as const;

function copyLooks(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  to.setAttribute('style', LOOKS.map((look) => `${look}:${style.getPropertyValue(look)}`).join(';'));
  [...from.children].forEach((child, i) => {
    const twin = to.children[i];
    if (twin !== undefined) copyLooks(child, twin);
  });
}

/** The same picture in pixels, twice as fine as on the screen. */
async function pngOf(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('no picture was made')) : resolve(blob)),
      'image/png',
    ),
  );
}

/** Hands a picture of the page to the visitor, as shapes or as pixels. */
export async function saveDrawing(
  picture: SVGSVGElement,
  title: string,
  link: string,
  name: string,
  isPixels: boolean,
): Promise<void> {
  const svg = svgText(picture, title, link);
  const { width, height } = picture.getBoundingClientRect();
  if (isPixels) save(name, await pngOf(svg, width, height), 'image/png');
  else save(name, svg, 'image/svg+xml');
}

/** Hands a file to the visitor. */
export function save(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

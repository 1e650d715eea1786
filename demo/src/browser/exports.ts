// What can be taken away: the picture of the table, and a saved filter.
// Invariant: a picture carries the link that shows it again; nothing is computed here.

/** A picture of the page as a file of its own: every look is written into it. */
function svgText(picture: SVGSVGElement, title: string, link: string): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copyLooks(picture, copy);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.querySelectorAll('.slot-focus').forEach((shape) => shape.remove());
  const ground = element('rect', '');
  const { backgroundColor } = getComputedStyle(picture.closest('.theatre') ?? document.body);
  ground.setAttribute('style', `width:100%;height:100%;fill:${backgroundColor}`);
  copy.prepend(element('title', title), element('desc', link), ground);
  return new XMLSerializer().serializeToString(copy);
}

function element(name: string, text: string): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  made.textContent = text;
  return made;
}

/** What a stylesheet may say about a shape or a text. */
const LOOKS =
  'fill stroke stroke-width stroke-dasharray stroke-linecap opacity font-family font-size font-weight font-style text-anchor dominant-baseline'.split(
    ' ',
  );

function copyLooks(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  to.setAttribute('style', LOOKS.map((look) => `${look}:${style.getPropertyValue(look)}`).join(';'));
  [...from.children].forEach((child, i) => {
    const twin = to.children[i];
    if (twin !== undefined) copyLooks(child, twin);
  });
}

/** Hands a picture of the page to the visitor. */
export function saveDrawing(picture: SVGSVGElement, title: string, link: string, name: string): void {
  save(name, svgText(picture, title, link), 'image/svg+xml');
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

// Take it with you: a link that replays, and the picture, the operations and the trace as files.
import { useSignal } from '@preact/signals';
import { linkTo, operationsCsv, pngOf, save, svgText, traceJson } from '../exports';
import { words } from '../i18n';
import type { Page } from '../page';

export function Share({ page }: { page: Page }) {
  const t = words.value.share;
  const note = useSignal('');
  const address = useSignal('');
  const copy = async (): Promise<void> => {
    address.value = linkTo(page);
    history.replaceState(null, '', address.value);
    note.value = await navigator.clipboard.writeText(address.value).then(
      () => t.copied,
      () => t.copyByHand,
    );
  };
  const name = `cuckoo-filter-${page.link.value.place}`;
  return (
    <details class="panel share">
      <summary>{t.title}</summary>
      <div class="share-actions">
        <button class="button is-primary" type="button" onClick={() => void copy()}>
          {t.copyLink}
        </button>
        <button class="button is-quiet" type="button" onClick={() => saveSvg(page, name)}>
          SVG
        </button>
        <button class="button is-quiet" type="button" onClick={() => void savePng(page, name)}>
          PNG
        </button>
        <button
          class="button is-quiet"
          type="button"
          onClick={() => save(`${name}.csv`, operationsCsv(page), 'text/csv')}
        >
          CSV
        </button>
        <button
          class="button is-quiet"
          type="button"
          onClick={() => save(`${name}.json`, traceJson(page), 'application/json')}
        >
          JSON
        </button>
      </div>
      <p class="note" role="status">
        {note.value}
      </p>
      {address.value !== '' && (
        <input class="share-address" type="text" readOnly value={address.value} aria-label={t.address} />
      )}
      <p class="note">{t.note}</p>
    </details>
  );
}

function drawn(page: Page): { svg: string; width: number; height: number } | null {
  const picture = document.querySelector<SVGSVGElement>('.theatre svg.picture');
  if (picture === null) return null;
  const { width, height } = picture.getBoundingClientRect();
  return { svg: svgText(picture, words.value.stage.title, linkTo(page)), width, height };
}

function saveSvg(page: Page, name: string): void {
  const picture = drawn(page);
  if (picture !== null) save(`${name}.svg`, picture.svg, 'image/svg+xml');
}

async function savePng(page: Page, name: string): Promise<void> {
  const picture = drawn(page);
  if (picture !== null)
    save(`${name}.png`, await pngOf(picture.svg, picture.width, picture.height), 'image/png');
}

// Take it with you: a link that replays, and the picture, the operations and the trace as files.
import { useSignal } from '@preact/signals';
import { Button } from '../../controls/button';
import { linkTo, writeAddress } from '../../app/address';
import { operationsCsv, save, saveDrawing, traceJson } from '../../browser/exports';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import '../../styles/lists.css';

/** `hasTable`: there is a picture of a table, and operations on it. */
export function Share({ page, hasTable }: { page: Page; hasTable: boolean }) {
  const t = words.value.share;
  const note = useSignal('');
  const address = useSignal('');
  const copy = async (): Promise<void> => {
    address.value = await linkTo(page);
    writeAddress(address.value);
    note.value = await navigator.clipboard.writeText(address.value).then(
      () => t.copied,
      () => t.copyByHand,
    );
  };
  const name = `cuckoo-filter-${page.link.value.place}`;
  return (
    <section class="share">
      <h2>{t.title}</h2>
      <div class="share-actions">
        <Button look="primary" text={t.copyLink} onClick={() => void copy()} />
        {hasTable &&
          Object.entries(FILES).map(([kind, make]) => (
            <Button
              key={kind}
              look="quiet"
              text={kind}
              onClick={() =>
                void linkTo(page).then((link) => make(page, link, `${name}.${kind.toLowerCase()}`))
              }
            />
          ))}
      </div>
      {hasTable && <Button look="quiet" text={t.printSteps} onClick={() => print()} />}
      <p class="note" role="status">
        {note.value}
      </p>
      {address.value !== '' && (
        <input class="share-address" type="text" readOnly value={address.value} aria-label={t.address} />
      )}
      <p class="note">{t.note}</p>
    </section>
  );
}

const PICTURE = '.theatre svg.picture';

type Maker = (page: Page, link: string, name: string) => void | Promise<void>;

const FILES: Readonly<Record<'SVG' | 'PNG' | 'CSV' | 'JSON', Maker>> = {
  SVG: (_, link, name) => savePicture(link, name, false),
  PNG: (_, link, name) => savePicture(link, name, true),
  CSV: (page, link, name) => save(name, operationsCsv(page, link), 'text/csv'),
  JSON: (page, link, name) => save(name, traceJson(page, link), 'application/json'),
};

async function savePicture(link: string, name: string, isPixels: boolean): Promise<void> {
  const picture = document.querySelector<SVGSVGElement>(PICTURE);
  if (picture !== null) await saveDrawing(picture, words.value.stage.title, link, name, isPixels);
}

// Take it with you: a link that replays, the picture as a file, and the steps on paper.
import { useSignal } from '@preact/signals';
import { Button } from '../../controls/button';
import { linkTo, writeAddress } from '../../app/address';
import { saveDrawing } from '../../browser/exports';
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
  const savePicture = async (): Promise<void> => {
    const picture = document.querySelector<SVGSVGElement>('.theatre svg.picture');
    const name = `cuckoo-filter-${page.link.value.place}.svg`;
    if (picture !== null) saveDrawing(picture, words.value.stage.title, await linkTo(page), name);
  };
  return (
    <section class="share">
      <h2>{t.title}</h2>
      <div class="share-actions">
        <Button look="primary" text={t.copyLink} onClick={() => void copy()} />
        {hasTable && (
          <>
            <Button look="quiet" text={t.picture} onClick={() => void savePicture()} />
            <Button look="quiet" text={t.printSteps} onClick={() => print()} />
          </>
        )}
      </div>
      <p class="note" role="status">
        {note.value}
      </p>
      {address.value !== '' && (
        <input class="share-address" type="text" readOnly value={address.value} aria-label={t.address} />
      )}
    </section>
  );
}

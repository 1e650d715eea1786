// Take it with you: a link that replays.
import { useSignal } from '@preact/signals';
import { Button } from '../../controls/button';
import { linkTo, writeAddress } from '../../app/address';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import '../../styles/lists.css';

export function Share({ page }: { page: Page }) {
  const t = words.value.share;
  const note = useSignal('');
  const address = useSignal('');
  const copy = async (): Promise<void> => {
    address.value = linkTo(page);
    writeAddress(address.value);
    note.value = await navigator.clipboard.writeText(address.value).then(
      () => t.copied,
      () => t.copyByHand,
    );
  };
  return (
    <section class="share">
      <h2>{t.title}</h2>
      <Button look="primary" text={t.copyLink} onClick={() => void copy()} />
      <p class="note" role="status">
        {note.value}
      </p>
      {address.value !== '' && (
        <input class="share-address" type="text" readOnly value={address.value} aria-label={t.address} />
      )}
    </section>
  );
}

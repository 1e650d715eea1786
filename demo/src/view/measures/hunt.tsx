// The hunt: all absent keys that the question is about, and from one that the table takes for present to the next.
// Invariant: the answers are the filter's own.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Page } from '../../app/page';
import { Button } from '../../controls/fields';
import { words } from '../../i18n';
import { strangerKeys } from '../../model/samples';
import { ABSENT } from '../../model/scenes/mistakes';
import { HeatMap } from './heat-map';

export default function Hunt({ page }: { page: Page }) {
  const { store } = page;
  const t = words.value.lesson;
  const tally = useSignal({ asked: 0, caught: 0 });
  const { asked, caught } = tally.value;
  const { settings, timeline } = store.session.value;
  const keys = useMemo(() => strangerKeys(settings.seed, ABSENT), [settings.seed]);
  const found = useMemo(() => Uint32Array.from(store.filter.found(keys), Number), [keys, timeline]);
  const next = (): void => {
    const at = found.indexOf(1, asked);
    tally.value = at < 0 ? { asked: ABSENT, caught } : { asked: at + 1, caught: caught + 1 };
    if (at >= 0) store.operate('contains', keys[at] ?? '');
  };
  const label = t.absent(ABSENT, found.filter(Boolean).length);
  return (
    <>
      {/* A frame has no room for it. */}
      {!page.link.value.isEmbedded && (
        <div>
          <HeatMap slots={found} label={label} />
          <p class="note" aria-hidden="true">
            {label}
          </p>
        </div>
      )}
      <Button look="kick" text={t.hunt} onClick={next} />
      <p class="note" role="status">
        {asked > 0 && t.hunted(asked, caught)}
      </p>
    </>
  );
}

// The scene of semi-sorting: four fingerprints sorted by hand, then a whole table that keeps its buckets so.
import { useEffect } from 'preact/hooks';
import { Console } from '../../controls/console';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { codeBits, NIBBLE_BITS } from '../../core/semi-sort';
import { Nibbles } from './nibbles';
import { Theatre } from '../stage/theatre';
import '../../styles/plot.css';
import '../../styles/places/space.css';

export default function Sorting({ page }: { page: Page }) {
  const t = words.value.space;
  const lesson = page.lesson.value;
  const isAsking = lesson?.phase === 'predict';
  useEffect(() => {
    // In the transfer question, the parts are one bit shorter.
    if (lesson?.phase === 'run') page.measured(codeBits(NIBBLE_BITS - lesson.part), 0);
  }, [lesson?.phase, lesson?.part]);
  return (
    <section class="theatre measure" aria-label={words.value.scenes.sorting.title}>
      <Nibbles page={page} isLocked={isAsking && lesson.part === 0} />
      {!isAsking && (
        <section class="semi-sorted" aria-label={t.tableTitle}>
          <h2>{t.tableTitle}</h2>
          <p>{t.tableLead}</p>
          <Console page={page} />
          <Theatre store={page.store} />
        </section>
      )}
    </section>
  );
}

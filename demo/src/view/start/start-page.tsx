// The first page: a name, its double and its fingerprint; then, loaded once those are drawn, a whole table with five
// things to try.
import { loadWords } from '../../i18n';
import type { Page } from '../../app/page';
import { idle, whenThere } from '../../browser/part';
import { Lazy } from '../lazy';
import { loadDouble, Opening } from './opening';

const loadTable = async (): Promise<typeof import('./start-table')> => {
  await loadDouble();
  await idle();
  const [table] = await Promise.all([whenThere(import('./start-table')), loadWords()]);
  return table;
};

export function StartPage({ page }: { page: Page }) {
  return (
    <main id="main" data-place="start" class="page">
      <Opening page={page} />
      <Lazy load={loadTable} props={{ page }} />
    </main>
  );
}

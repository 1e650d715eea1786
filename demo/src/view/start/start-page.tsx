// The first page: a name, its double and its fingerprint; then, loaded once those are drawn, a whole table with five
// things to try.
import { loadWords, words } from '../../i18n';
import type { Page } from '../../app/page';
import { idle, whenThere } from '../../browser/later';
import { addressOf } from '../header';
import { InTurn, Lazy } from '../lazy';
import { loadNames } from '../../app/name';
import { Film } from './film';
import '../../styles/opening.css';

const loadTable = async (): Promise<typeof import('./start-table')> => {
  await loadDouble();
  await idle();
  const [table] = await Promise.all([whenThere(import('./start-table')), loadWords()]);
  return table;
};

export function StartPage({ page }: { page: Page }) {
  return (
    <main id="main" data-place="start" class="page grid">
      <Opening page={page} />
      <Lazy load={loadTable} props={{ page }} />
    </main>
  );
}

export async function loadDouble(): Promise<typeof import('./double')> {
  const [part] = await Promise.all([whenThere(import('./double')), loadNames()]);
  return part;
}

/** Scrolls to the panel at the end of this page. Until that is drawn, the link opens another page that has it. */
function toPackage(event: Event): void {
  const panel = document.querySelector('.take');
  if (panel === null) return;
  event.preventDefault();
  panel.scrollIntoView();
}

export function Opening({ page }: { page: Page }) {
  const t = words.value;
  return (
    <section class="opening grid">
      <InTurn>
        <div class="intro">
          <h1>{t.title}</h1>
          <p>
            {t.lead}{' '}
            <a href={addressOf('end')} onClick={toPackage}>
              {t.nav.package}
            </a>
          </p>
        </div>
        <Film page={page} />
        <section class="double grid" aria-labelledby="double-title">
          <h2 id="double-title">{t.double.title}</h2>
          <Lazy load={loadDouble} props={{ page }} />
        </section>
      </InTurn>
    </section>
  );
}

// The opening: a name goes into a table; then, loaded meanwhile, it meets its double.
import { loadNames } from '../../app/name';
import { whenThere } from '../../browser/part';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { IS_IN_SITE } from '../header';
import { InTurn, Lazy } from '../lazy';
import { Film } from './film';
import '../../styles/opening.css';

export async function loadDouble(): Promise<typeof import('./double')> {
  const [part] = await Promise.all([whenThere(import('./double')), loadNames()]);
  return part;
}

export function Opening({ page }: { page: Page }) {
  const t = words.value;
  return (
    <section class="opening">
      <InTurn>
        <div class="intro">
          <h1>{t.title}</h1>
          <p>{t.lead}</p>
          <p class="use">
            <code>npm install cuckoofilter-wasm</code>
            {IS_IN_SITE && <a href={t.nav.docsAt}>{t.nav.docs}</a>}
          </p>
        </div>
        <Film page={page} />
        <section class="double" aria-labelledby="double-title">
          <h2 id="double-title">{t.double.title}</h2>
          <Lazy load={loadDouble} props={{ page }} />
        </section>
      </InTurn>
    </section>
  );
}

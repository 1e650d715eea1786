// The opening: a name goes into a table, then meets its double.
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import { InTurn } from '../lazy';
import { YourDouble } from './double';
import { Film } from './film';
import '../../styles/opening.css';

export function Opening({ page }: { page: Page }) {
  const t = words.value;
  return (
    <section class="opening">
      <div class="intro">
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </div>
      <InTurn>
        <Film page={page} />
        <YourDouble page={page} />
      </InTurn>
    </section>
  );
}

// The end of a talk: what to remember, and where to get it.
import { titleOf, words } from '../../i18n';
import { IS_PUBLISHED } from '../header';
import '../../styles/rooms.css';

export default function EndPage() {
  return (
    <main id="main" data-place="end" class="teach grid">
      <Ending />
    </main>
  );
}

export function Ending() {
  const t = words.value.ending;
  return (
    <section class="ending grid">
      <h1>{titleOf('end')}</h1>
      <ol>
        {t.remember.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ol>
      <p>{t.get}</p>
      {IS_PUBLISHED && (
        <p>
          <code>npm install cuckoofilter-wasm</code>
        </p>
      )}
      <p>
        <code>{location.href.replace(/[?#].*$/, '')}</code>
      </p>
    </section>
  );
}

// The end of a talk: what to remember, and where to get it.
import { titleOf, words } from '../../i18n';
import { addressOf, Use } from '../header';
import '../../styles/rooms.css';

export default function EndPage() {
  return (
    <main id="main" data-place="end" class="teach grid">
      <Ending />
      <div class="ask-actions">
        {(['start', 'be', 'lab'] as const).map((place) => (
          <a key={place} class="button" href={addressOf(place)}>
            {titleOf(place)}
          </a>
        ))}
      </div>
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
      <Use />
      <p>
        <code>{location.href.replace(/[?#].*$/, '')}</code>
      </p>
    </section>
  );
}

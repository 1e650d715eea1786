// The end of a talk: what to remember, and where to get it.
import { titleOf, words } from '../../i18n';
import { addressOf } from '../header';
import { IS_PUBLISHED, TakeHome } from '../start/take-home';
import '../../styles/guide.css';
import '../../styles/card.css';
import '../../styles/rooms.css';

export default function EndPage() {
  return (
    <main id="main" data-place="end" class="teach grid">
      <section class="ending grid">
        <Remember />
      </section>
      <TakeHome name={words.value.double.example} />
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

/** The last slide of a talk, with the lines that the audience may want to write down. */
export function Ending() {
  return (
    <section class="ending grid">
      <Remember />
      <p>{words.value.ending.get}</p>
      {IS_PUBLISHED && <code>npm install cuckoofilter-wasm</code>}
      <code>{location.href.replace(/[?#].*$/, '')}</code>
    </section>
  );
}

function Remember() {
  return (
    <>
      <h1>{titleOf('end')}</h1>
      <ol>
        {words.value.ending.remember.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ol>
    </>
  );
}

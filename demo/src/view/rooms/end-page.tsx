// The end of a talk: what to remember, and where to get it.
import { titleOf, words } from '../../i18n';
import { addressOf } from '../header';
import { TakeHome } from '../start/take-home';
import { Film } from '../start/film';
import type { Page } from '../../app/page';
import '../../styles/guide.css';
import '../../styles/card.css';
import '../../styles/rooms.css';

export default function EndPage() {
  return (
    <main id="main" data-place="end" class="teach grid">
      <section class="ending grid">
        <h1>{titleOf('end')}</h1>
        <ol>
          {words.value.ending.remember.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
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

/** The last slide of a talk: the first picture again, of any name that the room calls out, and one sentence to remember. */
export function Ending({ page }: { page: Page }) {
  return (
    <section class="opening is-end grid">
      <Film page={page} />
      <h1>{words.value.ending.sentence}</h1>
    </section>
  );
}

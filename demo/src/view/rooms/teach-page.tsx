// For teachers: scenes to embed in slides, sheets of exercises with their answers, and the keyboard card.
import { words } from '../../i18n';
import { EmbedBuilder } from './embed-builder';
import { ExerciseSheet } from './exercise-sheet';
import { addressOf } from '../header';
import { TOUR, type PlaceId } from '../../model/places';
import '../../styles/plot.css';
import '../../styles/places/rooms.css';
import { KeyboardCard } from '../panels/shortcuts';

const COURSES: readonly (readonly PlaceId[])[] = [
  ['homes', 'kick', 'delete'],
  ['names', 'print', 'homes', 'lookup', 'kick', 'graph', 'fail', 'hunt', 'delete', 'copies', 'be'],
  ['hunt', 'race', 'length', 'space', 'sorting', 'bloom', 'growing', 'better'],
];

export default function TeachPage() {
  const t = words.value;
  return (
    <main id="main" data-place="teach" class="teach">
      <div class="intro">
        <h1>{t.nav.teach}</h1>
        <p>{t.teach.lead}</p>
      </div>
      <section class="panel">
        <h2>{t.teach.courses}</h2>
        <dl class="courses">
          {COURSES.map((places, i) => (
            <div key={i}>
              <dt>{t.teach.courseNames[i]}</dt>
              <dd>
                {places.map((place) => (
                  <a key={place} href={addressOf(place)}>
                    {place === 'be' ? t.nav.be : `${numberOf(place)} ${titleOf(place)}`}
                  </a>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <EmbedBuilder />
      <ExerciseSheet />
      <section class="panel courses">
        <h2>{t.nav.quiz}</h2>
        <p>{t.quiz.forTeachers}</p>
        <a class="button" href={addressOf('quiz')}>
          {t.quiz.open}
        </a>
      </section>
      <section class="panel for-keys" id="keyboard">
        <h2>{t.shortcuts.title}</h2>
        <KeyboardCard />
      </section>
    </main>
  );
}

function numberOf(place: PlaceId): number {
  return TOUR.findIndex((scene) => scene === place);
}

function titleOf(place: PlaceId): string {
  const scene = TOUR.find((each) => each === place);
  return scene === undefined ? '' : words.value.scenes[scene].title;
}

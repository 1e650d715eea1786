// Before an audience: the table or the scene's own board, and one line, as large as the window lets them be.
// Invariant: everything is drawn at one size and scaled as a whole, so that no letter is smaller than another view would
// have it; the bar has one size and one place at all stops. What a question asks is the line, and its answer is not shown
// before somebody asks for it: from there a lecturer goes on to the second question and to the next scene on the way without
// leaving the full window, with the key for the next page alone.
import { Button } from '../../controls/fields';
import { Transport } from '../../controls/transport';
import { listenToTurns } from '../../controls/turns';
import { sceneWords, titleOf, whyOf, words } from '../../i18n';
import { layoutOf } from '../../model/picture/layout';
import { canStepForward, focused } from '../../model/trace/session';
import { operationText } from '../../model/trace/story';
import { COURSES, isPresented, type PlaceId, type SceneId } from '../../model/places';
import type { Question } from '../../model/scenes/task';
import { measureOf } from '../../model/scenes/measures';
import type { Page } from '../../app/page';
import { isSum, pictureOf } from '../scenes/boards';
import { Caption } from '../stage/caption';
import { Onward } from '../scenes/tour';
import { marked } from '../stage/chip';
import { Stage } from '../stage/stage';
import { screenHeight, screenWidth } from '../width';
import { useLayoutEffect } from 'preact/hooks';
import '../../styles/rooms.css';

/**
 * Pixels, before scaling, of a table of eight rows, of the margin above it (as in present.css), and of the bar below it. The bar
 * has the same size and place at every stop, and is wide enough that no sentence takes more than three lines.
 */
const [TABLE, TOP, BAR] = [539, 13, { width: 1040, height: 132 }] as const;
/** Of the narrowest table with large letters, in one column, in two and in three. */
const WIDTHS = [600, 960, 1340] as const;
/** The size of a board that stands in the table's place; some have their own. */
const BOARD = { width: 925, height: 414 } as const;
const OPENING = { width: 940, height: 526 } as const;
/** On a phone, in one column (as in present.css), of any height. */
const TALL = { width: 480, height: 1 } as const;
const BOARDS: Partial<Record<PlaceId, { readonly width: number; readonly height: number }>> = {
  names: { width: 1080, height: 568 },
  start: OPENING,
  end: OPENING,
};

export default function Present({ page }: { page: Page }) {
  const { store } = page;
  useLayoutEffect(() => listenToTurns(page), [page]);
  const { shape } = store.session.value.place.state;
  const [width, height] = [screenWidth.value, screenHeight.value];
  const { place } = page.link.value;
  const board = pictureOf(page);
  const sizes =
    board === null
      ? WIDTHS.map((least) => ({
          width: least,
          height: TOP + layoutOf(shape, least, true, true).height,
        }))
      : [width < height ? TALL : (BOARDS[place] ?? BOARD)];
  const bar = width < height ? width / WIDTHS[0] : Math.min(height / (TABLE + BAR.height), width / BAR.width);
  const room = height - bar * BAR.height;
  const scale = Math.max(0.5, ...sizes.map((size) => Math.min(room / size.height, width / size.width)));
  return (
    <main
      id="main"
      class={store.isDark.value ? 'present grid is-dark' : 'present grid'}
      data-place={place}
      style={{
        width: `${width / scale}px`,
        height: `${height / scale}px`,
        transform: `scale(${scale})`,
      }}
    >
      {board === null ? <Stage store={store} isCompact /> : <div class="present-board grid">{board}</div>}
      <div class="deck" style={{ zoom: bar / scale, minHeight: `${BAR.height}px` }}>
        <Line page={page} />
        {!page.link.value.isEmbedded && (
          <Button
            look="quiet"
            text={words.value.stage.leave}
            onClick={() => store.show({ presents: false })}
          />
        )}
      </div>
    </main>
  );
}

/** What an audience may vote on. */
function choicesOf(question: Question, scene: SceneId): readonly string[] {
  if (question.kind === 'choice') return question.options.map(sceneWords(scene).option);
  return question.kind === 'number' ? (question.near ?? []).map(words.value.lesson.about) : [];
}

/** The question, until somebody asks for the answer; then a sentence for each step; at the end the answer, and where to go next. */
function Line({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  const lesson = page.lesson.value;
  const { place, course } = page.link.value;
  const stops = COURSES[course]?.filter(isPresented) ?? [];
  // Outside a talk, the stops are all scenes.
  const counted = course === 0 ? t.lesson.of : t.lesson.stop;
  const where = stops.includes(place) && `${counted(stops.indexOf(place) + 1, stops.length)} · `;
  if (place === 'names' || place === 'start' || place === 'end') {
    // The start and the end have a heading of their own.
    const Title = place === 'names' ? 'h1' : 'p';
    return (
      <>
        <div class="told">
          <Title class="told-title">
            {where}
            {place === 'names' ? t.names.title : titleOf(place)}
          </Title>
          {place !== 'names' && <p class="caption-text">{place === 'start' ? t.lead : t.ending.now}</p>}
        </div>
        <Onward page={page} scene={place} presents />
      </>
    );
  }
  if (lesson === null || lesson.phase === 'free') {
    return (
      <>
        <Caption store={store} />
        <Transport store={store} />
      </>
    );
  }
  const { scene, part, phase, round } = lesson;
  const result = canStepForward(store.session.value) ? null : page.result.value;
  const own = sceneWords(scene);
  const question = page.task.value?.question ?? measureOf(scene, part);
  const options = phase === 'predict' && question !== null ? choicesOf(question, scene) : [];
  const isMeasuring = phase === 'run' && page.task.value === null;
  const asked = isMeasuring ? t.lesson.measuring : own.ask[part]?.(page.task.value?.facts ?? {});
  const told = result === null ? asked : own.found[part]?.(result.facts);
  const plays = page.task.value !== null && phase !== 'predict' && result === null;
  // The sum explains its columns beside it, so the question stays here.
  const played = plays && !isSum(scene) ? focused(store.session.value) : null;
  return (
    <>
      <div class="told">
        <h1 class="told-title">
          {where}
          {t.scenes[scene].title}
          {played && ` · ${operationText(played, t)}`}
        </h1>
        {played ? (
          <Caption store={store} />
        ) : (
          <p class={result === null ? 'caption-text' : 'caption-text is-answer'} role="status">
            {marked(told ?? '')}
          </p>
        )}
        {result !== null && <p class="reason">{whyOf(scene, part, result.facts)}</p>}
        {options.length > 0 && (
          <ol class="told-options">
            {options.map((option) => (
              <li key={option}>{option}</li>
            ))}
          </ol>
        )}
      </div>
      {phase === 'predict' ? (
        <Button look="primary" text={t.stage.reveal} onClick={() => page.predict(null)} />
      ) : (
        plays && <Transport store={store} />
      )}
      {result !== null && part === 0 && (
        <Button data-next text={t.lesson.goTransfer} onClick={() => page.begin(scene, 1, round)} />
      )}
      {result !== null && part === 1 && <Onward page={page} scene={scene} presents />}
    </>
  );
}

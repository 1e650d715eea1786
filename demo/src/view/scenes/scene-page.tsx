// A scene: what it is about, its question, its stage, and what tells the steps in other ways.
import { Console } from '../../controls/console';
import { languageNow, words } from '../../i18n';
import { termsOf } from '../../i18n/terms';
import { numberOf, TOUR, type SceneId } from '../../model/places';
import { measureOf } from '../../model/scenes/measures';
import type { Page } from '../../app/page';
import { SceneNav } from './scene-nav';
import { Board, isSum } from './boards';
import { Card } from './card';
import { CodePanel } from '../panels/panels';
import { PaperLink } from '../paper';
import { Tools } from '../panels/tools';

export default function ScenePage({ page, scene }: { page: Page; scene: SceneId }) {
  const t = words.value;
  const lesson = page.lesson.value;
  const isMeasured = measureOf(scene, 0) !== null;
  const hasTable = !isMeasured && !isSum(scene);
  // One thing to do at a time.
  const isOwn = page.isOwn.value;
  return (
    <>
      <SceneNav page={page} />
      <main id="main" data-place={scene} class={`page is-scene grid${isMeasured ? '' : ' has-stage'}`}>
        <div class="intro">
          <p class="intro-number">{t.lesson.of(numberOf(scene), TOUR.length)}</p>
          <h1>{t.scenes[scene].title}</h1>
          <p>{t.scenes[scene].lead}</p>
          {languageNow() === 'zh' && <Terms scene={scene} />}
        </div>
        <div class="console-place">
          <Card page={page} question={page.task.value?.question ?? measureOf(scene, lesson?.part ?? 0)} />
          {isOwn && hasTable && <Console page={page} />}
        </div>
        <div class="scene-right">
          <Board page={page} scene={scene} />
          <div class="more">
            {WALKS.has(scene) && <PaperAndLibrary />}
            <Tools page={page} hasSettings={hasTable} />
          </div>
        </div>
        {hasTable && (
          <div class="panels">
            <CodePanel store={page.store} />
          </div>
        )}
      </main>
    </>
  );
}

/** The scenes that work as the paper's filter does, not as this library's. */
const WALKS: ReadonlySet<SceneId> = new Set(['homes', 'kick', 'fail', 'race']);

function PaperAndLibrary() {
  const t = words.value.paper;
  return (
    <details class="panel">
      <summary>{t.title}</summary>
      <p>{t.lead}</p>
      <ul class="policy-list grid">
        {t.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <p>
        <PaperLink />
      </p>
    </details>
  );
}

/** The scene's words as papers and code have them. */
function Terms({ scene }: { scene: SceneId }) {
  return (
    <ul class="terms">
      {termsOf(scene).map(([own, english]) => (
        <li key={own}>
          {own} <span lang="en">{english}</span>
        </li>
      ))}
    </ul>
  );
}

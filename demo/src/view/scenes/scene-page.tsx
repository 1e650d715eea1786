// A scene: what it is about, its question, its stage, and what tells the steps in other ways.
import { Console } from '../../controls/console';
import { languageNow, words } from '../../i18n';
import { TERMS } from '../../i18n/terms';
import { SCENES, type SceneId } from '../../model/places';
import { measureOf } from '../../model/scenes/measures';
import type { Page } from '../../app/page';
import { SceneNav } from './scene-nav';
import { Board, isSum } from './boards';
import { Card } from './card';
import { CodePanel } from '../panels/code-panel';
import { History } from '../panels/history';
import { KeyPanel } from '../panels/key-panel';
import { PathPanel } from '../panels/path-panel';
import { StashRecording } from './recordings';
import { Share } from '../panels/share';
import { Tools } from '../panels/tools';

export default function ScenePage({ page, scene }: { page: Page; scene: SceneId }) {
  const t = words.value;
  const lesson = page.lesson.value;
  const isAsking = lesson?.phase === 'predict';
  const measure = measureOf(scene, lesson?.part ?? 0);
  return (
    <>
      <SceneNav page={page} />
      <main id="main" data-place={scene} class="page is-scene">
        <div class="intro">
          <p class="intro-number">{t.lesson.of(SCENES.indexOf(scene) + 1, SCENES.length)}</p>
          <h1>{t.scenes[scene].title}</h1>
          <p>{t.scenes[scene].lead}</p>
          {languageNow() === 'zh' && <Terms scene={scene} />}
        </div>
        <div class="console-place">
          <Card page={page} question={page.task.value?.question ?? measure} />
          {!isAsking && !isSum(page, scene) && measure === null && <Console page={page} />}
        </div>
        <div class="scene-right">
          <Board page={page} scene={scene} />
          {measure === null ? (
            <More page={page} scene={scene} isAsking={isAsking} />
          ) : (
            <Share page={page} hasTable={scene === 'sorting' && !isAsking} />
          )}
        </div>
        {measure === null && !isSum(page, scene) && <Panels page={page} scene={scene} isAsking={isAsking} />}
      </main>
    </>
  );
}

/** The scene's words as papers and code have them. */
function Terms({ scene }: { scene: SceneId }) {
  return (
    <ul class="terms">
      {TERMS[scene].map(([own, english]) => (
        <li key={own}>
          {own} <span lang="en">{english}</span>
        </li>
      ))}
    </ul>
  );
}

/** The scenes about kicks: the others do not list them. */
const KICKING: readonly SceneId[] = ['kick', 'graph', 'fail', 'better'];

interface PanelsProps {
  readonly page: Page;
  readonly scene: SceneId;
  readonly isAsking: boolean;
}

/** What tells the steps in other ways: beside the table. */
function Panels({ page, scene, isAsking }: PanelsProps) {
  const { store } = page;
  return (
    <div class="panels">
      {KICKING.includes(scene) && !isAsking && <PathPanel store={store} />}
      <CodePanel store={store} />
    </div>
  );
}

/** What belongs to the operation and the table as a whole: below the table. */
function More({ page, scene, isAsking }: PanelsProps) {
  const { store } = page;
  return (
    <div class="panels more">
      {!isAsking && (
        <>
          <KeyPanel store={store} />
          {(scene === 'fail' || scene === 'copies') && <StashRecording />}
          <History store={store} />
        </>
      )}
      <Tools page={page} />
    </div>
  );
}

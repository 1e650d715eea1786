// What stands in the middle of each scene.
import { words } from '../../i18n';
import type { SceneId } from '../../model/places';
import type { ComponentType } from 'preact';
import type { Page } from '../../app/page';
import { Graph } from '../stage/graph';
import { HashBoard } from './hash-board';
import { Lazy } from '../lazy';
import { Theatre } from '../stage/theatre';
import { XorBoard } from './xor-board';
import '../../styles/places/boards.css';

export function Board({ page, scene }: { page: Page; scene: SceneId }) {
  const { store } = page;
  if (scene === 'graph') return <GraphBoard page={page} />;
  if (scene === 'print') {
    return <Theatre store={store} above={<HashBoard key={keyOf(page)} page={page} />} />;
  }
  const measure = MEASURES[scene];
  if (measure !== undefined) return <Lazy load={measure} props={{ page }} />;
  if (isSum(page, scene)) {
    return (
      <Theatre store={store}>
        <XorBoard page={page} />
      </Theatre>
    );
  }
  const below = BELOW[scene];
  if (below === undefined || page.lesson.value?.phase === 'predict') return <Theatre store={store} />;
  return (
    <div class="stack">
      <Theatre store={store} />
      <Lazy load={below} props={{ page }} />
    </div>
  );
}

/** Whether the two homes of a fingerprint stand in place of the table. */
export function isSum(page: Page, scene: SceneId): boolean {
  const lesson = page.lesson.value;
  return scene === 'homes' || (scene === 'better' && lesson?.part === 0 && lesson.phase !== 'free');
}

/** Parts of scenes, each loaded when it is shown. */
type Parts = Partial<Readonly<Record<SceneId, () => Promise<{ default: ComponentType<{ page: Page }> }>>>>;

/** The scenes that measure. */
const MEASURES: Parts = {
  race: () => import('../measures/race'),
  length: () => import('../measures/lengths'),
  space: () => import('../measures/space'),
  sorting: () => import('../measures/sorting'),
  bloom: () => import('../measures/bloom-beside'),
  growing: () => import('../measures/growth'),
};

/** What stands below the table once the question is answered. */
const BELOW: Parts = { fail: () => import('./policies'), hunt: () => import('../measures/rates') };

/** Another task is another board. */
function keyOf(page: Page): string {
  const lesson = page.lesson.value;
  return `${lesson?.part} ${lesson?.round} ${page.task.value === null}`;
}

/** The table as a table or as a graph. */
export function GraphBoard({ page }: { page: Page }) {
  const t = words.value.graph;
  const { store, showsGraph } = page;
  const tools = (
    <div class="switch" role="group" aria-label={t.title}>
      {[false, true].map((isGraph) => (
        <button
          key={String(isGraph)}
          type="button"
          aria-pressed={showsGraph.value === isGraph}
          onClick={() => page.draw(isGraph)}
        >
          {isGraph ? t.graph : t.table}
        </button>
      ))}
    </div>
  );
  return (
    <Theatre store={store} tools={tools}>
      {showsGraph.value ? <Graph store={store} /> : undefined}
    </Theatre>
  );
}

// What stands in the middle of each scene.
import { words } from '../../i18n';
import { isScene, type SceneId } from '../../model/places';
import type { ComponentChildren, ComponentType } from 'preact';
import type { Page } from '../../app/page';
import { whenThere } from '../../browser/later';
import { Button } from '../../controls/fields';
import { Graph } from '../stage/graph';
import { Lazy } from '../lazy';
import { PathPanel } from '../panels/panels';
import { Theatre } from '../stage/theatre';
import { Opening } from '../start/start-page';
import { Outcome } from './outcome';
import { XorBoard } from './xor-board';
import { isPhone } from '../width';
import '../../styles/boards.css';

export function Board({ page, scene }: { page: Page; scene: SceneId }) {
  const { store } = page;
  const measure = MEASURES[scene];
  if (measure !== undefined) return <Lazy load={measure} props={{ page }} />;
  if (isSum(scene)) {
    return (
      <Theatre store={store} next={<VerdictBelow page={page} />}>
        <XorBoard page={page} />
      </Theatre>
    );
  }
  const isFail = scene === 'fail';
  const table = isFail ? (
    <GraphBoard page={page} />
  ) : (
    <Theatre store={store} next={<VerdictBelow page={page} />} />
  );
  if (page.lesson.value?.phase === 'predict') return table;
  return (
    <div class="stack">
      {table}
      {/* The other scenes are not about kicks. */}
      {(isFail || scene === 'kick') && <PathPanel store={store} />}
      {scene === 'kick' && page.lesson.value?.phase !== 'run' && <Lazy load={loadWays} props={{ page }} />}
      {isFail && <Lazy load={loadPolicies} props={{ page }} />}
    </div>
  );
}

/** On a phone the card is out of view, so the verdict is below the table, with a button that leads to its reasons. */
function VerdictBelow({ page }: { page: Page }) {
  const lesson = page.lesson.value;
  const result = page.result.value;
  if (!isPhone.value || lesson === null || result === null) return null;
  const show = (): void => {
    const why = document.querySelector<HTMLElement>('.card .verdict, .card .ask-why');
    why?.focus({ preventScroll: true });
    why?.scrollIntoView({ block: 'center' });
  };
  return (
    <div class="verdict-below">
      <Outcome lesson={lesson} result={result} />
      <Button look="quiet" text={words.value.lesson.why} onClick={show} />
    </div>
  );
}

/** What stands in the table's place before an audience; null: the table itself. */
export function pictureOf(page: Page): ComponentChildren {
  const { place } = page.link.value;
  if (place === 'start') return <Opening key={page.visit.value} page={page} />;
  if (place === 'end') return <Lazy load={loadEnding} props={{ page }} />;
  if (place === 'names') return <Lazy load={loadNames} props={{ page }} />;
  const measure = isScene(place) ? MEASURES[place] : undefined;
  if (measure !== undefined) return <Lazy load={measure} props={{ page }} />;
  if (isScene(place) && isSum(place)) return <XorBoard page={page} />;
  return page.showsGraph.value ? <Graph store={page.store} /> : null;
}

/** Whether the two homes of a fingerprint stand in place of the table. */
export function isSum(scene: SceneId): boolean {
  return scene === 'homes';
}

const MEASURES: Partial<Record<SceneId, () => Promise<{ default: ComponentType<{ page: Page }> }>>> = {
  race: () => import('../measures/race'),
  bits: () => import('../measures/bits-per-key'),
};

const loadNames = (): Promise<typeof import('../rooms/names-page')> => import('../rooms/names-page');
const loadEnding = async () => ({ default: (await whenThere(import('../rooms/end-page'))).Ending });
const loadWays = (): Promise<typeof import('./ways')> => import('./ways');
const loadPolicies = (): Promise<typeof import('./policies')> => import('./policies');

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
          onClick={() => (showsGraph.value = isGraph)}
        >
          {isGraph ? t.graph : t.table}
        </button>
      ))}
    </div>
  );
  return (
    <Theatre store={store} tools={tools} next={<VerdictBelow page={page} />}>
      {showsGraph.value ? <Graph store={store} /> : undefined}
    </Theatre>
  );
}

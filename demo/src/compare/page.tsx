// Lab -> Compare: the filters of the paper's comparison side by side, on the visitor's own keys; and the paper's figures,
// measured live beside the stored native ones.
// Invariant: everything is measured in workers; this page only draws what they tell.
import type { Page } from '../app/page';
import { LabTabs } from '../view/rooms/lab-tabs';
import { Lazy } from '../view/lazy';
import '../styles/plot.css';
import '../styles/places/compare.css';
import { Rivals } from './rivals';
import { compareWords, useCompareWords } from './words';

const loadFigures = (): Promise<typeof import('./figures')> => import('./figures');

export default function ComparePage({ page }: { page: Page }) {
  if (!useCompareWords()) return <main id="main" data-place="compare" class="is-loading" aria-busy="true" />;
  const t = compareWords.value;
  return (
    <main id="main" data-place="compare" class="compare">
      <div class="intro">
        <LabTabs place="compare" />
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </div>
      <Rivals page={page} />
      <Lazy load={loadFigures} props={{ page }} />
    </main>
  );
}

// Before an audience: the table, its sum and one line, as large as the window lets them be.
// Invariant: everything is drawn at the size of `layoutOf` and scaled as a whole, so that no letter is smaller than another
// view would have it. What a question asks is the line, and its answer is not shown before somebody asks for it.
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../controls/button';
import { Transport } from '../../controls/transport';
import { sceneWords, words } from '../../i18n';
import { layoutOf } from '../../model/picture/layout';
import { isScene } from '../../model/places';
import type { Page } from '../../app/page';
import { Caption } from '../stage/caption';
import { Stage } from '../stage/stage';
import { useSteady } from '../steady';
import '../../styles/places/present.css';

/** Pixels, before they are scaled, of the line below the table, wide and narrow, and of the narrowest table with large letters. */
const LINE = [92, 210] as const;
const LEAST_WIDTH = 600;

export default function Present({ page }: { page: Page }) {
  const { store } = page;
  const [shape] = useSteady(store, () => [store.session.value.place.state.shape]);
  const { width, height } = useWindow();
  const isNarrow = width < LEAST_WIDTH;
  const least = isNarrow ? width : LEAST_WIDTH;
  const needed = layoutOf(shape, least, true).height + LINE[isNarrow ? 1 : 0];
  const scale = Math.max(0.5, Math.min(height / needed, width / least));
  return (
    <main
      id="main"
      class="present"
      data-place={page.link.value.place}
      style={{
        width: `${width / scale}px`,
        height: `${height / scale}px`,
        transform: `scale(${scale})`,
      }}
    >
      <Stage store={store} isCompact />
      <div class="deck">
        <Line page={page} />
        {!page.link.value.isEmbedded && !isNarrow && (
          <Button look="quiet" text="Esc" onClick={() => store.show({ presents: false })} />
        )}
      </div>
    </main>
  );
}

/** The question, until it is released; then the sentence of the step. */
function Line({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  const lesson = page.lesson.value;
  const { place } = page.link.value;
  if (lesson?.phase !== 'predict' || !isScene(place)) {
    return (
      <>
        <Caption store={store} />
        <Transport store={store} />
      </>
    );
  }
  return (
    <>
      <p class="caption-text">{sceneWords(place).ask[lesson.part]?.(page.task.value?.facts ?? {})}</p>
      <Button look="primary" text={t.stage.reveal} onClick={() => page.reveal()} />
    </>
  );
}

function useWindow(): { readonly width: number; readonly height: number } {
  const now = (): { width: number; height: number } => ({ width: innerWidth, height: innerHeight });
  const [size, setSize] = useState(now);
  useEffect(() => {
    const measure = (): void => setSize(now());
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  return size;
}

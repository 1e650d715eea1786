// The bar above a scene: links to the scenes before and after it, the list of all scenes, and the full-window button.
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../controls/fields';
import { words } from '../../i18n';
import { ACTS, isInTour, numberOf, TOUR } from '../../model/places';
import type { Page } from '../../app/page';
import { addressOf } from '../header';
import { Acts } from './tour';

export function SceneNav({ page }: { page: Page }) {
  const t = words.value;
  const { place, isEmbedded } = page.link.value;
  const list = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      if (list.current?.contains(target as Node) === false) list.current.open = false;
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, []);
  if (isEmbedded || !isInTour(place)) return null;
  const at = TOUR.indexOf(place);
  const act = ACTS.findIndex((scenes) => scenes.some((scene) => scene === place));
  const neighbour = (by: 1 | -1) => {
    const scene = TOUR[at + by];
    if (scene === undefined) return null;
    const { title } = t.scenes[scene];
    return (
      <a
        class="row"
        href={addressOf(scene)}
        aria-label={by > 0 ? t.lesson.next(title) : t.lesson.previous(title)}
      >
        {by < 0 && <i>←</i>}
        <span>{title}</span>
        {by > 0 && <i>→</i>}
      </a>
    );
  };
  return (
    <nav class="scene-nav grid" aria-label={t.nav.scenes}>
      {neighbour(-1)}
      <details class="contents" ref={list} onKeyDown={closeOnEscape}>
        <summary class="row">
          <span class="contents-act note">{t.tour.acts[act]}</span>
          <span class="scene-number grid">{numberOf(place)}</span>
          <b>{t.scenes[place].title}</b>
          <i>▾</i>
        </summary>
        <div class="contents-list grid">
          <Acts page={page} />
        </div>
      </details>
      <Button look="quiet" text={t.stage.present} onClick={() => page.store.show({ presents: true })} />
      {neighbour(1)}
    </nav>
  );
}

function closeOnEscape(event: KeyboardEvent & { readonly currentTarget: HTMLDetailsElement }): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}

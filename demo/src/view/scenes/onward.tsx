// The link from a scene to the one after it on the way that the visitor takes, and from the last one to where ways begin.
import { words } from '../../i18n';
import { formatLink, HOME } from '../../model/link';
import { isInTour, isPresented, stopOn, type PlaceId } from '../../model/places';
import type { Page } from '../../app/page';

interface OnwardProps {
  readonly page: Page;
  readonly scene: PlaceId;
  /** Whether the next place fills the window too, if it has a picture. */
  readonly presents?: boolean;
}

export function Onward({ page, scene, presents = false }: OnwardProps) {
  const t = words.value;
  const { course, isEmbedded } = page.link.value;
  const stop = stopOn(course, scene, 1);
  const place = stop ?? 'teach';
  const shown = presents && { isEmbedded, hasChrome: !isPresented(place) };
  return (
    <a
      data-next
      class={presents ? 'button' : 'button is-primary'}
      href={`#${formatLink({ ...HOME, course, ...shown, place })}`}
    >
      {stop === undefined
        ? t.lesson.wayEnds
        : t.lesson.next(isInTour(stop) ? t.scenes[stop].title : t.nav.be)}
    </a>
  );
}

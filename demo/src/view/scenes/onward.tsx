// The link from a scene to the one after it on the way that the visitor takes, and from the last one to where ways begin.
import { titleOf, words } from '../../i18n';
import { stopOn, type PlaceId } from '../../model/places';
import type { Page } from '../../app/page';

interface OnwardProps {
  readonly page: Page;
  readonly scene: PlaceId;
  /** Whether the next place fills the window too, if it has a picture. */
  readonly presents?: boolean;
}

export function Onward({ page, scene, presents = false }: OnwardProps) {
  const t = words.value.lesson;
  const stop = stopOn(page.link.value.course, scene, 1);
  return (
    <a
      data-next
      class={presents ? 'button' : 'button is-primary'}
      href={page.stopAt(stop ?? 'teach', presents)}
    >
      {stop === undefined ? t.wayEnds : t.next(titleOf(stop))}
    </a>
  );
}

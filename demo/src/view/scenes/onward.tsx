// The link from a scene to the one after it on the way that the visitor takes, and from the last one to the game.
import { words } from '../../i18n';
import { formatLink, HOME, type Link } from '../../model/link';
import { followingOn, isInTour, type PlaceId } from '../../model/places';
import type { Page } from '../../app/page';

interface OnwardProps {
  readonly page: Page;
  readonly scene: PlaceId;
  readonly look?: 'primary';
  /** How the next place is shown; by default as a visitor finds it. */
  readonly shown?: Partial<Link>;
}

export function Onward({ page, scene, look, shown }: OnwardProps) {
  const t = words.value;
  const { course } = page.link.value;
  const place = followingOn(course, scene);
  return (
    <a
      data-next
      class={look === undefined ? 'button' : `button is-${look}`}
      href={`#${formatLink({ ...HOME, course, ...shown, place })}`}
    >
      {t.lesson.next(isInTour(place) ? t.scenes[place].title : t.nav.be)}
    </a>
  );
}

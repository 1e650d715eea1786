// The link from a scene to the one after it, or from the last scene to the game.
import { words } from '../../i18n';
import { formatLink, HOME, type Link } from '../../model/link';
import { SCENES, type SceneId } from '../../model/places';

interface OnwardProps {
  readonly scene: SceneId;
  readonly look?: 'primary';
  /** How the next place is shown; by default as a visitor finds it. */
  readonly shown?: Partial<Link>;
}

export function Onward({ scene, look, shown }: OnwardProps) {
  const t = words.value;
  const following = SCENES[SCENES.indexOf(scene) + 1];
  return (
    <a
      class={look === undefined ? 'button' : `button is-${look}`}
      href={`#${formatLink({ ...HOME, ...shown, place: following ?? 'be' })}`}
    >
      {t.lesson.next(following === undefined ? t.nav.be : t.scenes[following].title)}
    </a>
  );
}

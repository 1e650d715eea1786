// The bar at the top: the places of the page, the language and the theme.
// Invariant: every place is a plain link, so that it can be opened in another tab, kept and shared.
import { languageOther, setLanguage, words } from '../i18n';
import { formatLink, HOME } from '../model/link';
import { isInTour, type PlaceId } from '../model/places';
import type { Page } from '../app/page';
import { nextTheme, theme } from '../browser/theme';
import { Icon } from './icons';

export function addressOf(place: PlaceId, round = 0, part: 0 | 1 = 0): string {
  const lesson = part === 0 ? null : ({ part, phase: 'predict', guess: null } as const);
  return `#${formatLink({ ...HOME, place, round, lesson })}`;
}

/** Beside the documents, which have a link to here. */
export const IS_IN_SITE = location.pathname.includes('/learn/');

export function Header({ page }: { page: Page }) {
  const t = words.value.nav;
  const { place } = page.link.value;
  const link = (to: PlaceId, text: string) => (
    <a class="row" href={addressOf(to)} aria-current={place === to ? 'page' : undefined}>
      {text}
    </a>
  );
  return (
    <header class="bar row">
      <a
        class="bar-brand row"
        href={addressOf('start')}
        aria-current={place === 'start' ? 'page' : undefined}
      >
        <Icon name="brand" />
        <span>{t.brand}</span>
      </a>
      <nav class="bar-places" aria-label={t.title}>
        <a class="row" href={addressOf('names')} aria-current={isInTour(place) ? 'true' : undefined}>
          {t.learn}
        </a>
        {link('lab', t.lab)}
        {link('be', t.beShort)}
        {link('teach', t.teach)}
      </nav>
      <div class="bar-tools">
        {IS_IN_SITE && (
          <a class="bar-tool grid" href={t.docsAt}>
            {t.docs}
          </a>
        )}
        <button class="bar-tool grid" type="button" title={t.themes[theme.value]} onClick={nextTheme}>
          <Icon name={theme.value} />
          <span class="visually-hidden">{t.themes[theme.value]}</span>
        </button>
        <button
          class="bar-tool grid"
          type="button"
          lang={languageOther().lang}
          onClick={() => void setLanguage(languageOther().id).then(() => page.translate())}
        >
          {languageOther().name}
        </button>
      </div>
    </header>
  );
}

// A scene for a slide: choose and copy.
import { useSignal } from '@preact/signals';
import { Toggle } from '../../controls/toggle';
import { Choose } from '../../controls/choose';
import { languageNow, words } from '../../i18n';
import { formatLink, HOME } from '../../model/link';
import { numberOf, SCENES, type SceneId } from '../../model/places';

export function EmbedBuilder() {
  const t = words.value.teach;
  const scene = useSignal<SceneId>('kick');
  const hasChrome = useSignal(true);
  const link = formatLink({
    ...HOME,
    place: scene.value,
    language: languageNow(),
    isEmbedded: true,
    hasChrome: hasChrome.value,
  });
  const size = hasChrome.value ? 'width="820" height="760"' : 'width="960" height="540"';
  const code = `<iframe src="${location.href.replace(/[?#].*$/, '')}#${link}" ${size} title="${words.value.nav.brand}" style="border:0"></iframe>`;
  return (
    <section class="panel embed">
      <h2>{t.embed}</h2>
      <p>{t.embedLead}</p>
      <div class="measure-controls">
        <Choose
          label={words.value.nav.scenes}
          values={SCENES}
          bound={scene}
          textOf={(each) => `${numberOf(each)}. ${words.value.scenes[each].title}`}
        />
        <Toggle label={t.withQuestion} isOn={hasChrome.value} onChange={(isOn) => (hasChrome.value = isOn)} />
      </div>
      <label class="field">
        <span>{t.code}</span>
        <textarea readOnly rows={3} value={code} />
      </label>
    </section>
  );
}

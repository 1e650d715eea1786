// A scene for a slide: choose, copy, see it work, with the messages that drive it.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Toggle } from '../../controls/toggle';
import { Button } from '../../controls/button';
import { Choose } from '../../controls/choose';
import { languageNow, LANGUAGES, words, type Language } from '../../i18n';
import { formatLink, HOME } from '../../model/link';
import { numberOf, SCENES, type SceneId } from '../../model/places';

const LOOKS = ['auto', 'light', 'dark'] as const;
const COMMANDS = ['toStart', 'back', 'play', 'forward', 'toEnd'] as const;

export function EmbedBuilder() {
  const t = words.value.teach;
  const scene = useSignal<SceneId>('kick');
  const language = useSignal<Language>(languageNow());
  const look = useSignal<(typeof LOOKS)[number]>('auto');
  const hasChrome = useSignal(true);
  const frame = useRef<HTMLIFrameElement>(null);
  const link = formatLink({
    ...HOME,
    place: scene.value,
    language: language.value,
    isEmbedded: true,
    theme: look.value === 'auto' ? null : look.value,
    hasChrome: hasChrome.value,
  });
  const address = `${location.href.replace(/[?#].*$/, '')}#${link}`;
  const code = `<iframe src="${address}" ${hasChrome.value ? 'width="820" height="760"' : 'width="960" height="540"'} title="${words.value.nav.brand}" style="border:0"></iframe>`;
  const tell = (command: string): void => {
    frame.current?.contentWindow?.postMessage({ to: 'cuckoo-filter', command }, '*');
  };
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
        <Choose
          label={t.language}
          values={['en', 'zh'] as const}
          bound={language}
          textOf={(each) => LANGUAGES[each].name}
          langOf={(each) => LANGUAGES[each].lang}
        />
        <Choose label={t.colours} values={LOOKS} bound={look} textOf={(each) => t.looks[each]} />
        <Toggle label={t.withQuestion} isOn={hasChrome.value} onChange={(isOn) => (hasChrome.value = isOn)} />
      </div>
      <label class="field">
        <span>{t.code}</span>
        <textarea readOnly rows={3} value={code} />
      </label>
      <details>
        <summary>{t.preview}</summary>
        <iframe ref={frame} class="embed-frame" src={address} title={t.preview} />
        <div class="share-actions is-five" role="group" aria-label={t.messages}>
          {COMMANDS.map((command) => (
            <Button
              key={command}
              look="quiet"
              text={words.value.transport[command]}
              onClick={() => tell(command)}
            />
          ))}
        </div>
      </details>
      <p class="note">{t.messages}</p>
      <pre class="embed-messages">
        {`frame.contentWindow.postMessage({ to: 'cuckoo-filter', command: 'forward' }, '*')
${COMMANDS.map((command) => `'${command}'`).join(' ')} 'pause'
{ to: 'cuckoo-filter', command: 'seek', step: 12 }`}
      </pre>
    </section>
  );
}

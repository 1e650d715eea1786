// A scene for a slide: choose, copy, see it work, with the messages that drive it.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { languageNow, LANGUAGES, words, type Language } from '../i18n';
import { formatLink, HOME } from '../model/link';
import { SCENES, type SceneId } from '../model/places';

const COMMANDS = ['toStart', 'back', 'play', 'forward', 'toEnd'] as const;

export function EmbedBuilder() {
  const t = words.value.teach;
  const scene = useSignal<SceneId>('kick');
  const language = useSignal<Language>(languageNow());
  const look = useSignal<'auto' | 'light' | 'dark'>('auto');
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
  const code = `<iframe src="${address}" width="820" height="760" title="${words.value.nav.brand}" style="border:0"></iframe>`;
  const tell = (command: string): void => {
    frame.current?.contentWindow?.postMessage({ to: 'cuckoo-filter', command }, '*');
  };
  return (
    <section class="panel embed">
      <h2>{t.embed}</h2>
      <p>{t.embedLead}</p>
      <div class="measure-controls">
        <label class="field">
          <span>{words.value.nav.scenes}</span>
          <select
            value={scene.value}
            onChange={(event) => (scene.value = event.currentTarget.value as SceneId)}
          >
            {SCENES.map((each, i) => (
              <option key={each} value={each}>
                {i + 1}. {words.value.scenes[each].title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.language}</span>
          <select
            value={language.value}
            onChange={(event) => (language.value = event.currentTarget.value as Language)}
          >
            {Object.values(LANGUAGES).map(({ id, lang, name }) => (
              <option key={id} value={id} lang={lang}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.colours}</span>
          <select
            value={look.value}
            onChange={(event) => (look.value = event.currentTarget.value as 'auto' | 'light' | 'dark')}
          >
            {(['auto', 'light', 'dark'] as const).map((each) => (
              <option key={each} value={each}>
                {words.value.nav.themes[each]}
              </option>
            ))}
          </select>
        </label>
        <label class="toggle">
          <input
            type="checkbox"
            checked={hasChrome.value}
            onChange={(event) => (hasChrome.value = event.currentTarget.checked)}
          />
          <span>{t.withQuestion}</span>
        </label>
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
            <button key={command} class="button is-quiet" type="button" onClick={() => tell(command)}>
              {words.value.transport[command]}
            </button>
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

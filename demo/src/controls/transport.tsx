// The bar that moves through the steps of an operation, and the sentence of the step shown.
import { words } from '../i18n';
import { canStepBack, canStepForward, focused, type Input } from '../model/trace/session';
import type { Store } from '../app/store';
import { Icon, type IconName } from '../view/icons';

const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

export function Transport({ store }: { store: Store }) {
  const t = words.value.transport;
  const session = store.session.value;
  const { isPlaying } = session;
  const isIdle = focused(session) === null || store.isLocked.value;
  const button = (
    type: 'toStart' | 'back' | 'playOrPause' | 'forward' | 'toEnd',
    icon: IconName,
    label: string,
    isOff: boolean,
  ) => (
    <button
      class={`transport-button${type === 'playOrPause' ? ' is-play' : ''}`}
      type="button"
      data-action={type}
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => store.send({ type } satisfies Input)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="transport" role="group" aria-label={t.title}>
      <div class="transport-buttons">
        {button('toStart', 'start', t.toStart, isIdle || !canStepBack(session))}
        {button('back', 'back', t.back, isIdle || !canStepBack(session))}
        {button('playOrPause', isPlaying ? 'pause' : 'play', isPlaying ? t.pause : t.play, isIdle)}
        {button('forward', 'forward', t.forward, isIdle || !canStepForward(session))}
        {button('toEnd', 'end', t.toEnd, isIdle || !canStepForward(session))}
      </div>
      <Scrubber store={store} />
      <label class="speed">
        <span class="visually-hidden">{t.speed}</span>
        <select
          value={String(session.speed)}
          onChange={(event) => store.send({ type: 'speed', speed: Number(event.currentTarget.value) })}
        >
          {SPEEDS.map((speed) => (
            <option value={String(speed)}>{t.speedOf(speed)}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Scrubber({ store }: { store: Store }) {
  const t = words.value.transport;
  const session = store.session.value;
  const operation = focused(session);
  const { first, last } = operation ?? { first: 0, last: 0 };
  const position = operation === null ? t.nothing : t.position(session.place.cursor - first, last - first);
  return (
    <label class="scrubber">
      <span class="visually-hidden">{t.scrubber}</span>
      <input
        type="range"
        min={first}
        max={last}
        value={session.place.cursor}
        disabled={operation === null || store.isLocked.value}
        aria-valuetext={position}
        onInput={(event) => store.send({ type: 'seek', cursor: Number(event.currentTarget.value) })}
      />
      <span class="scrubber-position">{position}</span>
    </label>
  );
}

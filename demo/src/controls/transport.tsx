// The bar of buttons with which a visitor steps through an operation.
import type { ComponentChildren } from 'preact';
import { words } from '../i18n';
import { canStepBack, canStepForward, focused } from '../model/trace/session';
import type { Store } from '../app/store';
import { Icon } from '../view/icons';

export type Action = 'toStart' | 'back' | 'playOrPause' | 'forward' | 'toEnd';

export function Transport({ store }: { store: Store }) {
  const t = words.value.transport;
  const session = store.session.value;
  const { isPlaying, place } = session;
  // How many steps there are would tell a question's answer.
  const operation = store.isLocked.value ? null : focused(session);
  const { first, last } = operation ?? { first: 0, last: 0 };
  const isOff = operation === null;
  const canGoBack = !isOff && canStepBack(session);
  const canGoForward = !isOff && canStepForward(session);
  const nothing = store.isLocked.value ? '' : t.nothing;
  const position = first === last ? nothing : t.position(place.cursor - first, last - first);
  return (
    <div class="transport row" role="group" aria-label={t.title}>
      <StepButtons
        {...{ store, isPlaying, canGoBack, canGoForward }}
        canPlay={!isOff}
        send={(type) => store.send({ type })}
      />
      <label class="scrubber grid">
        <span class="visually-hidden">{t.scrubber}</span>
        <input
          type="range"
          min={first}
          max={last}
          value={place.cursor}
          disabled={isOff}
          aria-valuetext={position}
          onInput={(event) => store.send({ type: 'seek', cursor: Number(event.currentTarget.value) })}
        />
        <span class="scrubber-position note">{position}</span>
      </label>
    </div>
  );
}

interface StepButtonsProps {
  readonly store: Store;
  readonly isPlaying: boolean;
  readonly canPlay: boolean;
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
  readonly send: (action: Action) => void;
}

const SPEEDS = [1, 2, 4, 0.5];

/** Where there is no step to take, a button does nothing, and keeps the keyboard. */
export function StepButtons(props: StepButtonsProps) {
  const { store, isPlaying, canPlay, canGoBack, canGoForward, send } = props;
  const playOrPause = isPlaying && canPlay ? 'pause' : 'play';
  const t = words.value.transport;
  const { speed } = store;
  const faster = SPEEDS[(SPEEDS.indexOf(speed.value) + 1) % SPEEDS.length] ?? 1;
  const button = (action: Action | 'speed', text: ComponentChildren, label: string, isOn = true) => (
    <button
      class={`transport-button grid${action === 'playOrPause' ? ' is-play' : ''}`}
      type="button"
      data-action={action}
      aria-label={label}
      title={label}
      aria-disabled={!isOn}
      onClick={() => (action === 'speed' ? store.show({ speed: faster }) : isOn && send(action))}
    >
      {text}
    </button>
  );
  return (
    <div class="transport-buttons">
      {button('toStart', <Icon name="start" />, t.toStart, canGoBack)}
      {button('back', <Icon name="back" />, t.back, canGoBack)}
      {button('playOrPause', <Icon name={playOrPause} />, t[playOrPause], canPlay)}
      {button('forward', <Icon name="forward" />, t.forward, canGoForward)}
      {button('toEnd', <Icon name="end" />, t.toEnd, canGoForward)}
      {button('speed', <>{speed.value}×</>, t.speed(speed.value))}
    </div>
  );
}

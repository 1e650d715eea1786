// The bar that moves through the steps of an operation, or through any row of pictures.
import type { ComponentChildren } from 'preact';
import { words } from '../i18n';
import { canStepBack, canStepForward, focused } from '../model/trace/session';
import type { Store } from '../app/store';
import { Icon, type IconName } from '../view/icons';

const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

/** What the bar asks for. */
export type Move =
  | { readonly type: 'toStart' | 'back' | 'playOrPause' | 'forward' | 'toEnd' }
  | { readonly type: 'seek'; readonly cursor: number };

export function Transport({ store }: { store: Store }) {
  const t = words.value.transport;
  const session = store.session.value;
  const operation = focused(session);
  const isOff = operation === null || store.isLocked.value;
  return (
    <TransportBar
      // How many steps there are would tell a question's answer.
      first={isOff ? 0 : operation.first}
      last={isOff ? 0 : operation.last}
      at={session.place.cursor}
      isPlaying={session.isPlaying}
      isOff={isOff}
      canGoBack={!isOff && canStepBack(session)}
      canGoForward={!isOff && canStepForward(session)}
      send={(move) => store.send(move)}
    >
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
    </TransportBar>
  );
}

interface TransportBarProps {
  /** Steps are counted from `first` to `last`. */
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly isPlaying: boolean;
  /** Nothing to go through, or not yet. */
  readonly isOff: boolean;
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
  readonly send: (move: Move) => void;
  readonly children?: ComponentChildren;
}

export function TransportBar({ isPlaying, canGoBack, canGoForward, children, ...steps }: TransportBarProps) {
  const t = words.value.transport;
  const { first, last, at, isOff, send } = steps;
  const position = first === last ? t.nothing : t.position(at - first, last - first);
  const button = (type: Exclude<Move['type'], 'seek'>, icon: IconName, label: string, isOn: boolean) => (
    <button
      class={`transport-button${type === 'playOrPause' ? ' is-play' : ''}`}
      type="button"
      data-action={type}
      aria-label={label}
      title={label}
      aria-disabled={!isOn}
      onClick={() => send({ type })}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="transport" role="group" aria-label={t.title}>
      <div class="transport-buttons">
        {button('toStart', 'start', t.toStart, canGoBack)}
        {button('back', 'back', t.back, canGoBack)}
        {button('playOrPause', isPlaying ? 'pause' : 'play', isPlaying ? t.pause : t.play, !isOff)}
        {button('forward', 'forward', t.forward, canGoForward)}
        {button('toEnd', 'end', t.toEnd, canGoForward)}
      </div>
      <label class="scrubber">
        <span class="visually-hidden">{t.scrubber}</span>
        <input
          type="range"
          min={first}
          max={last}
          value={at}
          disabled={isOff}
          aria-valuetext={position}
          onInput={(event) => send({ type: 'seek', cursor: Number(event.currentTarget.value) })}
        />
        <span class="scrubber-position">{position}</span>
      </label>
      {children}
    </div>
  );
}

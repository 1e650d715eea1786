// The pictures on buttons. They say nothing to a reader; the buttons have names.

const PATHS = {
  start: 'M6 5v14M19 5 9.500 12 19 19Z',
  back: 'M16 5 7 12l9 7Z',
  play: 'M8 5l11 7-11 7Z',
  pause: 'M8 5v14M16 5v14',
  forward: 'M8 5l9 7-9 7Z',
  end: 'M18 5v14M5 5l9.500 7L5 19Z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon is-${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

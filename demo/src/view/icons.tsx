// The pictures on buttons. They say nothing to a reader; the buttons have names.

const PATHS = {
  start: 'M6 5v14M19 5 9.500 12 19 19Z',
  back: 'M16 5 7 12l9 7Z',
  play: 'M8 5l11 7-11 7Z',
  pause: 'M8 5v14M16 5v14',
  forward: 'M8 5l9 7-9 7Z',
  brand: 'M3 8h7v6H3ZM14 8h7v6h-7ZM6.500 5C9 1 15 1 17.500 5M6.500 17C9 21 15 21 17.500 17',
  auto: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 4v16M15 6.500v11M18 9v6',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600 19 19M5 19l1.400-1.400M17.600 6.400 19 5',
  dark: 'M20 14A8 8 0 1 1 10 4a6.500 6.500 0 0 0 10 10Z',
  end: 'M18 5v14M5 5l9.500 7L5 19Z',
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon is-${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

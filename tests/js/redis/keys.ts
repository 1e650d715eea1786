// Keys to add, for tests with a server and without.

export const keysTo = (count: number, prefix = 'key'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i}`);

// What the page remembers on the device: language and theme. Nothing leaves the device.
// Invariant: a browser that forbids storage remembers nothing, and the page works without.

type Name = 'language' | 'theme';

const PREFIX = 'cuckoo-filter.';

export function remember(name: Name, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows forbid it.
  }
}

export function recall(name: Name): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

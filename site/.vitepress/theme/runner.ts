// The worker in which an example runs: its imports of the package lead to the site's own copy, and what it logs is sent to
// the page.

/** A line that the program printed, or the error that ended it. */
export interface Said {
  readonly isError: boolean;
  readonly text: string;
}

const say = (text: string, isError = false): void => self.postMessage({ isError, text } satisfies Said);

/** A value as Node prints it, as far as examples need it. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : nested(value);
}

function nested(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(nested).join(', ')} ]`;
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name} [ ${String(value).replaceAll(',', ', ')} ]`;
  // A filter shows what it tells about itself.
  const told = 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as object) : value;
  const name = value.constructor === Object ? '' : `${value.constructor.name} `;
  const fields = Object.entries(told).map(([key, each]) => `${key}: ${nested(each)}`);
  return `${name}{ ${fields.join(', ')} }`;
}

console.log = (...values: unknown[]) => say(values.map(shown).join(' '));
console.error = console.warn = (...values: unknown[]) => say(values.map(shown).join(' '), true);

const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])cuckoofilter-wasm(?:\/(\w+))?\2/g;

self.onmessage = async ({ data }: MessageEvent<{ code: string; from: string }>) => {
  const code = data.code.replace(
    IMPORT,
    (_, before: string, quote: string, entry = 'index') => `${before}${quote}${data.from}${entry}.js${quote}`,
  );
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    await import(/* @vite-ignore */ url);
  } catch (error) {
    say(shown(error), true);
  }
  self.postMessage('end');
};

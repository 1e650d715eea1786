// Secret keys for the hash of filters.
import type { HashKeysOptions } from 'cuckoofilter-wasm';

/** The option of a filter with a secret key of this byte alone. */
export const secret = (byte: number): HashKeysOptions => ({
  hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(byte) },
});

/** A secret key of different bytes. */
export const SECRET = {
  algorithm: 'siphash-1-3',
  key: Uint8Array.from({ length: 16 }, (_, i) => 17 * i),
} as const;

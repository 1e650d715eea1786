// What an input is, by its first bytes: compressed in a way that the command reads, text, or neither.
// Invariant: what is neither is refused, with the command that makes lines of it. No text is: each format begins with
// bytes that text hardly begins with, or its first bytes are decompressed to be sure.
/* eslint-disable no-control-regex -- formats begin with control characters */
import { constants, inflateSync } from 'node:zlib';

interface Format {
  readonly is: string;
  /** How it begins, one character per byte. */
  readonly begin: RegExp;
  /** Makes text of it, if the name of a file follows. */
  readonly command?: string;
  /** What to do if no command does. */
  readonly advice?: string;
}

/** With these bytes, every format is known. */
export const HEAD_BYTES = 512;

/** With these, all but archives of tar. */
export const LEAST_HEAD_BYTES = 10;

/** Ways to compress that the command reads. A frame of zstd that is to be skipped may come first. */
const COMPRESSED = {
  gzip: { is: 'compressed with gzip', begin: /^\x1f\x8b/, command: 'gzip -dc' },
  zstd: { is: 'compressed with zstd', begin: /^(\(\xb5\/\xfd|[P-_]\*M\x18)/, command: 'zstd -dc' },
} as const satisfies Record<string, Format>;

export type Compression = keyof typeof COMPRESSED;

const OFFICE =
  /^(PK\x03\x04[^]{26}(\[Content_Types\]|_rels\/|docProps\/|xl\/)|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1)/;

const OTHERS: readonly Format[] = [
  { is: 'compressed with xz', begin: /^\xfd7zXZ\0/, command: 'xz -dc' },
  { is: 'compressed with lzma', begin: /^\]\0\0..\xff{5}/s, command: 'xz -dc' },
  { is: 'compressed with bzip2', begin: /^BZh[1-9](1AY&SY|\x17rE8P\x90)/, command: 'bzip2 -dc' },
  { is: 'compressed with lz4', begin: /^(\x04"|\x02!)M\x18/, command: 'lz4 -dc' },
  { is: 'compressed with compress', begin: /^\x1f[\x9d\xa0]/, command: 'gzip -dc' },
  { is: 'compressed with lzip', begin: /^LZIP[\0\x01]/, command: 'lzip -dc' },
  { is: 'compressed with lzop', begin: /^\x89LZO\0/, command: 'lzop -dc' },
  { is: 'compressed with snappy', begin: /^\xff\x06\0\0sNaPpY/, command: 'snzip -dc' },
  { is: 'an Excel or other Office file', begin: OFFICE, advice: 'Save it as CSV first' },
  { is: 'a zip archive', begin: /^PK(\x03\x04|\x05\x06|\x07\x08|00PK)/, command: 'unzip -p' },
  { is: 'a 7z archive', begin: /^7z\xbc\xaf'\x1c/, command: '7z x -so' },
  { is: 'a rar archive', begin: /^Rar!\x1a\x07/, command: 'unrar p -inul' },
  { is: 'a tar archive', begin: /^.{257}ustar[\0 ]/s, command: 'tar -xOf' },
  { is: 'encoded in UTF-32', begin: /^(\xff\xfe\0\0|\0\0\xfe\xff)/, command: 'iconv -f UTF-32 -t UTF-8' },
  { is: 'a saved filter', begin: /^\x89CK/, advice: 'Give it to --load, or to merge or info' },
];

/** Compressed as in gzip, without its header. */
const ZLIB: Format = { is: 'compressed with zlib', begin: /^x[\x01\x9c\xda]/, command: 'pigz -dc' };

/** How an input is compressed, if it begins so that the command decompresses it. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  const text = latin1(head);
  return (['gzip', 'zstd'] as const).find((name) => COMPRESSED[name].begin.test(text));
}

/** Throws Error if an input, or what `outer` decompresses to, is not text. */
export function checkText(head: Uint8Array, outer: Compression | undefined): void {
  const text = latin1(head);
  const format = [...Object.values<Format>(COMPRESSED), ...OTHERS, ZLIB].find(({ begin }) =>
    begin.test(text),
  );
  if (format === undefined || (format === ZLIB && !isInflated(head))) return;
  const { is, command, advice } = format;
  const unpack = outer === undefined ? `${command} FILE` : `${COMPRESSED[outer].command} FILE | ${command} -`;
  throw new Error(
    `${outer === undefined ? '' : `within ${outer}, `}this is ${is}, which the command does not read. ` +
      (advice ?? `Run ${unpack} | cuckoofilter-wasm ...`),
  );
}

function isInflated(head: Uint8Array): boolean {
  try {
    return inflateSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

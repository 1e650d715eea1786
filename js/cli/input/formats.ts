// Tells from the first bytes of an input whether it is text, compressed in a way that the command reads, or neither.
// Invariant: anything else is refused, with the command that turns it into lines. Text is never refused: no format is
// looked for in bytes without control characters, which the first bytes of every format have.
/* eslint-disable no-control-regex -- formats begin with control characters */
import { constants, inflateSync } from 'node:zlib';

interface Format {
  readonly is: string;
  /** How it begins, one character per byte. */
  readonly begin: RegExp;
  /** Followed by the name of a file, this prints its text. */
  readonly command?: string;
  /** The name to give the file, if `command` cannot read standard input. */
  readonly file?: string;
  /** What to do if there is no such command. Without both, `is` says it. */
  readonly advice?: string;
}

/** Enough bytes to recognize every format. */
export const HEAD_BYTES = 512;

/** Enough bytes to tell text, and every format but tar and UTF-16, which need more of a file that has more. */
export const LEAST_HEAD_BYTES = 64;

/** Compression that the command reads. Zstd may begin with a skippable frame. */
const COMPRESSED = {
  gzip: { is: 'compressed with gzip', begin: /^\x1f\x8b/, command: 'gzip -dc' },
  zstd: { is: 'compressed with zstd', begin: /^(\(\xb5\/\xfd|[P-_]\*M\x18)/, command: 'zstd -dc' },
} as const satisfies Record<string, Format>;

export type Compression = keyof typeof COMPRESSED;

const OFFICE =
  /^(PK\x03\x04[^]{26}(\[Content_Types\]|_rels\/|docProps\/|xl\/)|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1)/;

/** The mark of today's archives; or, in those of before 1988, the octal numbers that follow a name of 100 bytes. */
const TAR =
  /^.{100}(.{157}ustar[\0 ]|(?:[ 0-7]{6}[ \0]{2}|[0-7]{7}\0){3}(?:[ 0-7]{11}[ \0]){2}[ 0-7]{6}\0 )/s;

const OTHERS: readonly Format[] = [
  { is: 'compressed with xz', begin: /^\xfd7zXZ\0/, command: 'xz -dc' },
  { is: 'compressed with lzma', begin: /^[\0-\xe0]\0\0..\xff{5}/s, command: 'xz -dc' },
  { is: 'compressed with bzip2', begin: /^BZh[1-9](1AY&SY|\x17rE8P\x90)/, command: 'bzip2 -dc' },
  { is: 'compressed with lz4', begin: /^(\x04"M|\x02!L)\x18/, command: 'lz4 -dc' },
  { is: 'compressed with compress', begin: /^\x1f[\x9d\xa0]/, command: 'gzip -dc' },
  { is: 'compressed with lzip', begin: /^LZIP[\0\x01]/, command: 'lzip -dc' },
  { is: 'compressed with lzop', begin: /^\x89LZO\0/, command: 'lzop -dc' },
  { is: 'compressed with snappy', begin: /^\xff\x06\0\0sNaPpY/, command: 'snzip -dc' },
  { is: 'an Excel or other Office file', begin: OFFICE, advice: 'Save it as CSV first' },
  {
    is: 'a zip archive',
    begin: /^PK(\x03\x04|\x05\x06|\x07\x08|00PK)/,
    command: 'unzip -p',
    file: 'archive.zip',
  },
  { is: 'a 7z archive', begin: /^7z\xbc\xaf'\x1c/, command: '7z x -so', file: 'archive.7z' },
  { is: 'a rar archive', begin: /^Rar!\x1a\x07/, command: 'unrar p -inul', file: 'archive.rar' },
  { is: 'a tar archive', begin: TAR, command: 'tar -xOf' },
  { is: 'in UTF-32', begin: /^(\xff\xfe\0\0|\0\0\xfe\xff)/, command: 'iconv -f UTF-32 -t UTF-8' },
  { is: 'a saved filter, not lines. Pass it with --load, or use merge or info', begin: /^\x89CK/ },
];

/** Eight Latin characters in UTF-16, or a Windows line end. With --zero, they could be lines. */
const UTF_16: readonly Format[] = [
  {
    is: 'in UTF-16 without a byte order mark',
    begin: /^(?!\xff\xfe)(([\t\n\r -~\xa0-\xff]\0){8}|([^][^])*?\r\0\n\0)/,
    command: 'iconv -f UTF-16LE -t UTF-8',
  },
  {
    is: 'in UTF-16 without a byte order mark',
    begin: /^(?!\xfe\xff)((\0[\t\n\r -~\xa0-\xff]){8}|([^][^])*?\0\r\0\n)/,
    command: 'iconv -f UTF-16BE -t UTF-8',
  },
];

/** The compression of gzip, without the header of gzip. Text may begin in the same way, so `isInflated` decides. */
const ZLIB: Format = { is: 'compressed with zlib', begin: /^[\x08\x18(8HXhx]/, command: 'pigz -dc' };

/** Every control character but those of text: white space, backspace, and escape, which begins a colour. */
const CONTROL = /[\0-\x07\x0e-\x1a\x1c-\x1f]/;

/** How an input is compressed, if the command can decompress it. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  const text = latin1(head);
  return (['gzip', 'zstd'] as const).find((name) => COMPRESSED[name].begin.test(text) && CONTROL.test(text));
}

/** How an input is read. */
export interface Opening {
  readonly name: string;
  /** Lines end with a zero byte. */
  readonly isZero: boolean;
}

/** Throws Error if an input, or what `outer` decompresses it to, is not text. */
export function checkText(head: Uint8Array, outer: Compression | undefined, { name, isZero }: Opening): void {
  const text = latin1(head);
  const formats = [...Object.values<Format>(COMPRESSED), ...OTHERS, ...(isZero ? [] : UTF_16), ZLIB];
  const format = CONTROL.test(text) ? formats.find(({ begin }) => begin.test(text)) : undefined;
  if (format === undefined || (format === ZLIB && !isInflated(head))) return;
  const { is, command, advice } = format;
  const input = outer === undefined ? 'input' : 'decompressed input';
  if (command === undefined && advice === undefined) throw new Error(`the ${input} is ${is}`);
  throw new Error(
    `the ${input} is ${is}, which this command cannot read. ` +
      (advice ?? `Run ${unpackingOf(format, outer, nameInShell(name))} | npx cuckoofilter-wasm ...`),
  );
}

/** The commands that print the text in `file`. */
function unpackingOf(
  { command = '', file: inner }: Format,
  outer: Compression | undefined,
  file: string,
): string {
  if (outer === undefined) return `${command} ${file}`;
  const unpack = `${COMPRESSED[outer].command} ${file}`;
  return inner === undefined ? `${unpack} | ${command} -` : `${unpack} > ${inner}, then ${command} ${inner}`;
}

/** `name` if no shell gives its characters a meaning, otherwise a placeholder. */
function nameInShell(name: string): string {
  return /^[\p{L}\d_./][\p{L}\d_./-]*$/u.test(name) ? name : 'FILE';
}

/** Whether `head` is the whole of what zlib compressed, as its checksum tells, or decompresses as far as it goes. */
function isInflated(head: Uint8Array): boolean {
  const inflates = (finishFlush: number, least: number): boolean => {
    try {
      return inflateSync(head, { finishFlush }).length >= least;
    } catch {
      return false;
    }
  };
  return inflates(constants.Z_FINISH, 0) || inflates(constants.Z_SYNC_FLUSH, HEAD_BYTES / 8);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

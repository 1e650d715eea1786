// Why saved bytes cannot be loaded: the core's codes, and what to do about them. Programs that load nothing, such as those
// with a filter on a Redis server, do without this file.
// Invariant: the codes here are those of cpp/include/cuckoo/error.h, in its order (a test compares the two).
import type { Kind } from '../class-names.js';
import { counted, FormatError, shown, type FormatErrorCode } from '../errors.js';

/** The core's codes, in the order of error.h, with what the message says about a saved filter that has the error. */
const FORMAT_PROBLEMS = {
  none: '',
  'out-of-range': '',
  'out-of-memory': '',
  'not-a-filter': 'not a saved filter',
  'unsupported-version': 'newer format. Update cuckoofilter-wasm',
  'cut-short': 'cut short, or more bytes follow. Get the whole file again',
  damaged: 'damaged: the checksum differs. Get the file again',
  inconsistent: 'damaged, or not made by this package. Make the filter again',
  'too-large': 'the table is larger than maxBytes',
  'wrong-key': 'it has a secret key. Pass options.hash',
  busy: '',
  spoiled: '',
  different: '',
  'not-aligned': '',
};
type ErrorCode = keyof typeof FORMAT_PROBLEMS;
export const ERROR_CODES = Object.keys(FORMAT_PROBLEMS) as readonly ErrorCode[];

/** The class and entry whose saved form has these letters in its magic, or this kind of values. */
const OWNERS: Partial<Record<string, readonly [Kind, entry: string]>> = {
  CKF: ['CuckooFilter', ''],
  CKS: ['ScalableCuckooFilter', '/scalable'],
  1: ['CuckooValues', '/values'],
  2: ['CuckooCounter', '/counter'],
  3: ['ExpiringFilter', '/expiring'],
};

/** What is to be loaded: the bytes, the most bytes that a table may take, and the secret key if one was given. */
export interface LoadRequest {
  readonly bytes: Uint8Array;
  readonly maxBytes: number;
  readonly secret: Uint8Array | null;
}

/** The class that saved such bytes, and its entry; undefined if that is none of them. */
export function ownerOf(bytes: Uint8Array): readonly [Kind, entry: string] | undefined {
  const letters = String.fromCharCode(...bytes.subarray(1, 4));
  // In a later version, the bytes after it may mean something else.
  const hasValues = letters === 'CKF' && bytes[8] === 1 && (bytes[16] as number) & 2;
  return OWNERS[hasValues ? String(bytes[72]) : letters];
}

export function formatError(
  code: ErrorCode,
  kind: Kind,
  { bytes, maxBytes, secret }: LoadRequest,
): FormatError {
  const [owner, entry] = ownerOf(bytes) ?? [kind];
  const isOther = owner !== kind && (code === 'not-a-filter' || code === 'unsupported-version');
  // The byte that says XXH64, in the first layer if there are layers.
  const isUnkeyed = bytes[kind === 'ScalableCuckooFilter' ? 36 : 12] === 1;
  const begin = bytes.subarray(0, 9);
  const advice =
    code === 'too-large'
      ? ` (${maxBytes}). If you trust the source, raise it`
      : code === 'not-a-filter'
        ? notAFilterAdvice(bytes, begin)
        : '';
  const problem = isOther
    ? `this is a saved ${owner}. Use ${owner}.deserialize from cuckoofilter-wasm${entry}`
    : code === 'wrong-key' && secret !== null
      ? isUnkeyed
        ? 'it has no secret key. Leave out options.hash'
        : 'options.hash has another secret key'
      : FORMAT_PROBLEMS[code] + advice;
  const these = bytes.length === 1 ? 'this' : 'these';
  return new FormatError(
    `cannot load ${these} ${counted(bytes.length, 'byte')}: ${problem}`,
    isOther ? 'not-a-filter' : (code as FormatErrorCode),
  );
}

function notAFilterAdvice(bytes: Uint8Array, begin: Uint8Array): string {
  if (begin.length === 0) return '. The file is empty';
  const found = String.fromCharCode(...begin);
  // The first byte of a saved filter is not valid UTF-8. It becomes U+FFFD if it is read as UTF-8, and another character if
  // it is read in an older encoding; what is written may have a mark, and is UTF-16 in Windows PowerShell.
  if (/[\xc2-\xef][\x80-\xbf]{1,2}CK|^\xff\xfe[^]{2}C/.test(found))
    return '; they were read as text: read files without an encoding, and responses by arrayBuffer()';
  // Before the search for magic bytes, because a short filter may be stored almost uncompressed.
  const compression =
    begin[0] === 0x1f && begin[1] === 0x8b ? 'gzip' : begin[0] === 0x28 && begin[1] === 0xb5 && 'zstd';
  if (compression) return `; they are ${compression}: decompress them`;
  if (found === 'version h') return '; this is a pointer: run git lfs pull';
  if (/^\x89CK.(\n|\r(\r|\n.\r))/.test(found))
    return '; line ends were converted: mark it binary in .gitattributes';
  if (/^iUNL/.test(found)) return '; they are base64: decode it';
  const [isHex, prefix] = /^([\\0]x)?89434b/i.exec(found) ?? [];
  if (isHex !== undefined)
    return `; they are hexadecimal: Buffer.from(new TextDecoder().decode(bytes)${prefix ? '.slice(2)' : ''}, 'hex')`;
  const isMagic = (at: number): boolean =>
    bytes[at] === 0x43 && bytes[at + 1] === 0x4b && bytes[at + 3] === 0x0d;
  const at = bytes.subarray(0, 2 ** 16).findIndex((_, i) => i > 1 && isMagic(i));
  return at > 0
    ? `; one begins at byte ${at - 1}: pass its view, not its buffer`
    : `; they begin with ${shown(found)}`;
}

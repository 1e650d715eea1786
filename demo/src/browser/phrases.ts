// Where lines may break, in every text of the page: in Chinese between words alone, and nowhere in a formula or a name.
// Invariant: places to break are elements, not characters, so copied text is clean; `:lang(zh)` forbids all others.
import { createElement, Fragment, options, type ComponentChildren } from 'preact';
import { unbroken } from '../model/text';

/** The field's words that dictionaries lack, or cut in two. */
const TERMS =
  /“[^“”]{1,8}”|另一个桶?|布隆过滤器|布谷鸟|布隆|过滤器|候选桶|踢出链|装载率|误判率?|漏判|一定不存在|可能存在|判断正确|举一反三|假[阳阴]性|半排序|暂存区|连通分量|指纹|空?槽位|异或|哈希|回滚|字节|比特数?|字符串|浏览器|为的是/;
/** Spaces between a number and what it counts or names. */
const AT_NUMBER = /(?<=桶|每|异或|槽位|哈希|得|÷) (?=\d)|(?<=\d) (?=\p{Script=Han})/gu;
/** Spaces in a formula, and before a per cent sign. */
const AT_SIGN = /(?<=[\d)]) (?=[%÷×=+/])|(?<=[÷×=+/]) (?=[\d\p{Script=Han}])/gu;
/** What a line may end with, and begin with. */
const [LAST, FIRST] = [/[\p{Script=Han}”]$/u, /^[\p{Script=Han}“]/u];
const TWO_HAN = /\p{Script=Han}{2}/u;
/** At most so many words of one character in a row are kept in one line. */
const MOST = 4;
/** Never the first of a line. */
const PARTICLE = /^[的了吗呢们着过里]的?$/;
/** Never the last of a line. */
const OPENER = /[没未不]有?$/;
/** What a browser shows in one line, or as it stands. */
const UNBROKEN = new Set(['text', 'tspan', 'option', 'title', 'textarea']);

const words = new Intl.Segmenter('zh', { granularity: 'word' });
const known = new Map<string, readonly string[]>();

/** The parts of a text between which a line may break. Two words of one character each are taken for one that is unknown. */
function partsOf(text: string): readonly string[] {
  // The longest first: a name begins with what was typed of it.
  const longest = [...unbroken].sort((a, b) => b.length - a.length);
  const names = longest.map((name) => name.replace(/[^\p{L}\p{N}]/gu, '\\$&'));
  const whole = new RegExp(`(${[...names, TERMS.source].join('|')})`);
  const parts: string[] = [];
  let [before, row] = ['', 0];
  for (const [i, piece] of text
    .replace(AT_NUMBER, '\u00a0')
    .replace(AT_SIGN, '\u00a0')
    .split(whole)
    .entries()) {
    const segments = i % 2 === 1 ? [piece] : [...words.segment(piece)].map(({ segment }) => segment);
    for (const word of segments) {
      const isBetween = LAST.test(before) && FIRST.test(word);
      row = isBetween ? row + word.length : word.length;
      const isApart =
        isBetween &&
        !PARTICLE.test(word) &&
        !OPENER.test(before) &&
        (before.length + word.length > 2 || row > MOST);
      if (isApart) row = word.length;
      if (isApart || parts.length === 0) parts.push(word);
      else parts[parts.length - 1] += word;
      before = word;
    }
  }
  return parts;
}

function phrased(children: ComponentChildren): ComponentChildren {
  if (Array.isArray(children)) return children.map(phrased);
  if (typeof children !== 'string' || unbroken.has(children)) return children;
  if (!TWO_HAN.test(children)) return children.replace(AT_SIGN, '\u00a0');
  const parts = known.get(children) ?? partsOf(children);
  known.set(children, parts);
  // A part is drawn in turn, and stays whole.
  for (const part of parts) known.set(part, [part]);
  if (parts.length === 1) return children;
  return parts.flatMap((part, i) => (i === 0 ? [part] : [createElement('wbr', null), part]));
}

// Once this is loaded, whatever is drawn.
const before = options.vnode;
options.vnode = (node) => {
  const own: { children?: ComponentChildren } = node.props;
  const { type } = node;
  if (type === Fragment || (typeof type === 'string' && !UNBROKEN.has(type)))
    own.children &&= phrased(own.children);
  before?.(node);
};

export {};

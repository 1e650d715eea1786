// Names of birds: sample keys in an order that a seed gives, and strangers, which no table of samples holds.
// Invariant: the same seed and index give the same name, and no two indexes of one seed give equal names; no stranger is a
// sample. Once the plain names are used up, words are put before them. Seeds below `FIRST_CHINESE` give English names, the
// others Chinese ones.

/** The seed of an English table and this give the seed of a Chinese one. */
export const FIRST_CHINESE = 5_000_000;

const listed = (text: string): readonly string[] => text.trim().split(/\s+/);

const ENGLISH = {
  samples: listed(`
    wren robin heron swift finch raven eagle stork crane quail egret grebe pipit dunnock linnet
    osprey plover petrel kestrel magpie jackdaw lapwing avocet bittern curlew dipper falcon gannet
    hoopoe jay kite lark martin nuthatch oriole puffin rook shrike tern warbler swallow thrush teal
    merlin knot ibis godwit fulmar dove cuckoo coot chough buzzard brambling redstart sparrow
    starling wagtail whimbrel wigeon siskin skua snipe stint
  `),
  strangers: listed(`
    ostrich kiwi toucan parrot flamingo pelican condor vulture peacock pheasant partridge
    goose duck turkey canary macaw lyrebird cassowary kookaburra penguin emu rhea
    hornbill
  `),
  kinds: listed(
    'crested spotted northern southern great lesser grey black white red blue golden striped banded',
  ),
  space: ' ',
};

const CHINESE = {
  samples: listed(`
    麻雀 燕子 喜鹊 乌鸦 黄鹂 杜鹃 画眉 百灵 云雀 鹌鹑 斑鸠 鸽子 翠鸟 戴胜 啄木鸟 猫头鹰 苍鹰 雀鹰
    游隼 红隼 白鹭 苍鹭 夜鹭 池鹭 白鹳 黑鹳 丹顶鹤 灰鹤 白鹤 大雁 天鹅 鸳鸯 绿头鸭 鸬鹚 海鸥 燕鸥
    鹡鸰 绣眼鸟 太阳鸟 伯劳 八哥 鹩哥 椋鸟 乌鸫 知更鸟 山雀 柳莺 鹪鹩 文鸟 金翅雀 朱雀 交嘴雀
    锡嘴雀 蜡嘴雀 夜莺 卷尾 寿带 蓝鹊 松鸦 雨燕 蜂虎 朱鹮 琵鹭 秧鸡 水雉 鸻鸟
  `),
  strangers: listed(`
    神鹰 秃鹫 野鸡 鹧鸪 火鸡 金丝雀 琴鸟 鹤鸵 蜂鸟 鹦鹉 火烈鸟 鹈鹕 孔雀 企鹅 鸵鸟 巨嘴鸟 犀鸟
    锦鸡 金雕
  `),
  kinds: listed('长尾 短尾 白头 红嘴 黑颈 蓝喉 灰胸 斑胸 白眉 黄腹 棕背 红腹 栗头 北方 南方 高山'),
  space: '',
};

/** So many samples have plain names, in either language. */
export const PLAIN_SAMPLES = Math.min(ENGLISH.samples.length, CHINESE.samples.length);

function namesOf(seed: number): typeof ENGLISH {
  return seed < FIRST_CHINESE ? ENGLISH : CHINESE;
}

export function sampleKey(seed: number, index: number): string {
  const { samples } = namesOf(seed);
  return called(shuffled(samples, seed)[index % samples.length], Math.floor(index / samples.length), seed);
}

/** The stranger number `index`, from 0. The first name is one that the seed gives. */
export function strangerKey(seed: number, index: number): string {
  const { strangers } = namesOf(seed);
  return called(strangers[(index + seed) % strangers.length], Math.floor(index / strangers.length), seed);
}

/** The first strangers. */
export function strangerKeys(seed: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => strangerKey(seed, i));
}

/** The name of a bird whose plain name was given so many times before. */
function called(bird = '', times: number, seed: number): string {
  return kindOf(times, namesOf(seed)) + bird;
}

/** The words before a name in round `number`, different in each; none in round 0. A word follows itself only after all other pairs. */
function kindOf(number: number, names: typeof ENGLISH, turn = 0): string {
  if (number === 0) return '';
  const { kinds, space } = names;
  const last = (number - 1) % kinds.length;
  const before = kindOf(Math.floor((number - 1) / kinds.length), names, turn + last + 1);
  return `${before}${kinds[(last + turn) % kinds.length] ?? ''}${space}`;
}

const orders = new Map<number, string[]>();

/** The words in the order of `seed`, worked out once: Fisher and Yates' shuffle. */
function shuffled(samples: readonly string[], seed: number): string[] {
  const known = orders.get(seed);
  if (known !== undefined) return known;
  const words = [...samples];
  const draw = drawsOf(seed);
  for (let i = words.length - 1; i > 0; --i) {
    const j = Math.floor(draw() * (i + 1));
    [words[i], words[j]] = [words[j] ?? '', words[i] ?? ''];
  }
  orders.set(seed, words);
  return words;
}

/**
 * Gives the next number, from 0 to below 1, at each call: the same for the same seed, everywhere. A linear congruential
 * generator mod 2^32 (Numerical Recipes), whose upper bits count most; the filter draws none of them.
 */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// 页面上的全部文字（简体中文）。
// Invariant: the same keys as en.ts and en-rest.ts; a test compares them. Glossary: 桶 bucket, 槽位 slot, 指纹 fingerprint,
// 候选桶 home, 踢出链 kick path, 装载率 load factor, 误判率（假阳性率） false positive rate, 半排序 semi-sorting.
import type { Words } from './en';
import { count, isHan, isolated, whole } from '../model/text';
import { zhNames, zhRooms } from './zh-rooms';
import { zhPanels } from './zh-panels';
import { zhRest } from './zh-rest';
import { zhSteps } from './zh-steps';

/** A name in a sentence: in other letters it stands apart from the characters beside it. */
const apart = (name: string): string => (isHan(name) ? whole(name) : ` ${name} `);

export const zh: Words = {
  lang: 'zh-CN',
  title: '布谷鸟过滤器，一步一步看',
  lead: '读磁盘和下载都很慢，所以程序先问过滤器：这个名字见过吗？过滤器为每个名字只留几个比特，就能回答：一定不存在，或可能存在。它与布隆过滤器不同，可以删除。',
  steps: zhSteps,
  names: zhNames,
  ...zhPanels,
  ...zhRest,
  ...zhRooms,

  nav: {
    docs: '文档',
    docsAt: '../zh/',
    title: '页面导航',
    brand: '布谷鸟过滤器',
    learn: '学习',
    lab: '实验室',
    be: '你来当过滤器',
    beShort: '玩一玩',
    teach: '教学',
    end: '要点',
    package: '用到你的项目里',
    scenes: '场景',
    skip: '跳到内容',
    themes: { auto: '配色：跟随系统', light: '配色：浅色', dark: '配色：深色' },
    moved: '链接要求的表无法在本页显示，现在显示的是最接近的一张。',
    otherVersion: '链接已损坏，或来自本页的另一个版本，因此显示首页。',
  },

  double: {
    title: '谁是你的分身？',
    label: '你的名字',
    example: '王小明',
    most: (letters) => `最多可输入 ${letters} 个字符。`,
    friend: (name) => `${apart(name).trimStart()}发来了这个。输入你的名字，找找你的分身。`,
    same: (one, other) => `过滤器分不清${apart(one)}和${apart(other).trimEnd()}。`,
    gone: (one, other) =>
      `新建一个过滤器，只插入${apart(one).trimEnd()}，指纹放进第一候选桶。再删除从未插入的${apart(other).trimEnd()}，删掉的其实是${apart(one).trimEnd()}。`,
    picture: (print, one, other) =>
      `两个名字的指纹都是 ${print}，候选桶都是桶 ${one} 和桶 ${other}。删掉之后，那个槽位就空了。`,
    size: (buckets, bits, tried, found, values) =>
      `这是一个很小的过滤器：${buckets} 个桶，指纹 ${bits} 个比特。平均约每 ${count((2 ** bits * buckets) / 2 / values)} 个名字里有 1 个会被它当成你（${2 ** bits} 种指纹 × ${buckets} 个桶 ÷ 2 个候选桶${values > 1 ? ' ÷ 2，因为 0 也记作你的指纹' : ''}），这次试了 ${count(tried)} 个，找到 ${found} 个。指纹越长，分身越少。哈希种子是按你的名字挑选的：这个名字有两个不同的候选桶，在下面的表里也有空位。`,
    why: '为什么？',
    because: (bits, one, other) =>
      `过滤器不存名字：每个名字先打散成 64 个比特（哈希），只留下最后 ${bits} 个作指纹，而${apart(one)}和${apart(other)}的指纹正好相同。`,
    hash: (bits) => `64 个比特：${bits}`,
    bits: (bits, isSwapped) =>
      `开头的比特（蓝色）选出第一候选桶，最后 ${bits} 个（橙色）留作指纹，其余丢掉。第二候选桶由第一候选桶和指纹算出。${isSwapped ? '这里，一个名字的第一候选桶正好是另一个名字的第二候选桶' : '这里，两个名字的第一候选桶相同'}，所以两个候选桶都一样。`,
    zero: '（0 记作 1，因为 0 表示空槽位）',
    seeDelete: (other) => `看看删掉${apart(other)}会怎样`.trimEnd(),
    send: '发给朋友',
    copied: '链接已复制。',
    copyByHand: '请从地址栏复制链接。',
  },

  film: {
    told: ([first = '', ...others], homes, to) => [
      `${apart(first).trimStart()}的两个候选桶（桶 ${homes.join(' 和桶 ')}）都满了。`,
      ...others.map(
        (each, i) =>
          `${i > 0 ? others[i - 1] : first}踢出${whole(each)}；${each}去自己的另一个候选桶（桶 ${to[i + 1]}），那里${i + 1 < others.length ? '也满了' : '有空槽位'}。`,
      ),
    ],
    kept: (bits) => `过滤器不存名字，只存每个名字右边的 ${bits} 比特指纹。`,
    chosen: '这些鸟名是特意选的，为的是演示踢出；表满到这个程度，新名字多半仍能直接放下。',
    again: '再放一遍',
  },

  guide: {
    title: '一分钟上手',
    lead: '还是 8 个桶，现在每桶 4 个槽位，里面是鸟名留下的指纹。存进过滤器的名字叫键（key）。依次试试这五件事：',
    steps: {
      insert: (key) => `插入“${key}”`,
      known: (key) => `查询已插入的“${key}”`,
      stranger: (key) => `查询从未插入的“${key}”`,
      falsePositive: (key) => `遇到一次误判：查询“${key}”`,
      kick: () => '演示一次踢出',
    },
    next: '接下来试试',
    plain: {
      locate: (key, _bits, fingerprint, primary) =>
        `过滤器由${key}算出指纹 ${fingerprint} 和第一候选桶：桶 ${primary}。`,
      alternate: (_sum, alternate, isSame, primary) =>
        `再由指纹和桶 ${primary} 算出第二候选桶：${isSame ? '还是' : ''}桶 ${alternate}。`,
      kickTo: (_sum, to) => `它的另一个候选桶是桶 ${to}。`,
    },
    kicks: (kicks) => `${kicks} 次踢出`,
  },

  console: {
    title: '你的键',
    label: '键',
    placeholder: '一个键，或粘贴多行',
    insert: '插入',
    contains: '查询',
    erase: '删除',
    showKick: '演示一次踢出',
    insertSample: '插入一个示例',
    clear: '清空表',
  },

  transport: {
    title: '步骤',
    toStart: '到开头',
    back: '后退一步',
    play: '播放',
    pause: '暂停',
    forward: '前进一步',
    toEnd: '到结尾',
    speed: (times) => `速度：${times}×`,
    scrubber: '本操作的步骤',
    position: (at, of) => `第 ${at} / ${of} 步`,
    nothing: '还没有步骤',
  },

  stage: {
    title: '表',
    reveal: '显示答案',
    present: '铺满窗口（F）',
    leave: '退出（Esc）',
    grid: (buckets, slots) => `${buckets} 个桶的表，每桶 ${slots} 个槽位`,
    bucket: (bucket) => `桶 ${bucket}`,
    slot: (bucket, slot, fingerprint, other) =>
      `桶 ${bucket}，槽位 ${slot}，指纹 ${fingerprint}，另一个候选桶 ${other}`,
    slotAlone: (bucket, slot, fingerprint) => `桶 ${bucket}，槽位 ${slot}，指纹 ${fingerprint}`,
    emptySlot: (bucket, slot) => `桶 ${bucket}，槽位 ${slot}，空`,
    owner: (key) => `来自“${isolated(key)}”`,
    slotHeading: (slot) => `槽位 ${slot}`,
    guessed: '你猜的',
    homes: { primary: '候选一', alternate: '候选二', both: '两个' },
    help: '方向键在槽位之间移动，A 跳到指纹的另一个候选桶。',
    hiddenArrows: (shown, all) => `${all} 次踢出，表上只画出最后 ${shown} 次；列表里是全部。`,
  },

  hand: {
    title: '手中的指纹',
    empty: '无',
    new: '正在找槽位',
    kicked: '被踢出，该去哪里？',
    sought: '用于比较',
    taken: '已从槽位取出',
    refused: '未插入',
  },

  sum: {
    home: (number) => (number === 1 ? '候选一' : '候选二'),
    bucket: (bucket) => `桶 ${bucket}`,
    offset: '偏移量',
    hash: '64 比特',
    fingerprint: '指纹',
  },

  legend: {
    title: '图例',
    chip: '指纹',
    empty: '空',
    primary: '第一候选桶',
    alternate: '第二候选桶',
    read: '读过',
    found: '找到',
    kick: '第 1 次踢出',
  },

  explain: {
    title: '发生了什么',
    idle: (percent) => `表里已有一些鸟名的指纹，装载率 ${percent}%。输入一个键，然后插入或查询。`,
    idleEmpty: '表是空的。输入一个键再按“插入”。',
    locked: '轮到你了：请先回答问题。',
    ready: (operation) => `就绪：${operation}。按播放，或者前进一步。`,
  },

  answer: {
    maybe: '可能存在',
    never: '一定不存在',
    stored: '已插入',
    refused: '未插入',
    removed: '已删除',
    absent: '未删除',
    emptied: '已清空',
    truths: {
      truePositive: '过滤器判断正确',
      falsePositive: '误判',
      trueNegative: '过滤器判断正确',
      falseNegative: '漏判',
    },
  },

  meter: {
    title: '装载率',
    value: (size, slots) => `${size} / ${slots} 个槽位`,
    percent: (percent) => `${percent}%`,
  },

  notebook: {
    toggle: '显示键（过滤器并不保存）',
  },

  broken: (why) => `页面出错，已停止：${why}`,
};

// 测量与图表的文字（简体中文）。
import type { Words } from './en';
import type { enSpace } from './en-measures';
import { enPlots, percent } from './en-measures';
import { isolated } from './isolated';

const { number: short } = enPlots.plot;

export const zhPlots: Pick<Words, keyof typeof enPlots> = {
  plot: {
    data: '以表格查看',
    series: '曲线',
    load: '装载率',
    meanKicks: '每次插入的平均踢出次数',
    noKicks: '没有发生踢出的地方不画点：对数坐标轴上没有零。',
    number: short,
    percent: (value) => `${percent(value)}%`,
    named: (name, value) => `${name}：${value}`,
    list: (items) => items.join('、'),
    nothing: '还没有测量',
    stop: '停止',
    progress: '进度',
  },
  race: {
    title: '四张表同时填充',
    slots: '每张表的槽位数',
    kicks: '每次插入最多踢出（次）',
    start: '开始比赛',
    lane: (slots) => `每桶 ${slots} 个槽位`,
    map: (slots, load) => `每桶 ${slots} 个槽位的表，装载率 ${load}：深色像素是已占用的槽位`,
    paper: (percent) => `论文按 ${percent}% 设计。`,
    loadOf: (slots, percent) => `b\u00a0=\u00a0${slots} 为 ${percent}`,
    summary: (loads) => `首次拒绝时的装载率：${loads}。`,
    kicksPlot: '每次插入的踢出次数与装载率',
    searched: (percent, slots) =>
      `本库的搜索：${percent}。${slots === 1 ? '差别纯属偶然：只有一个槽位，踢出哪个没得选。' : ''}`,
    note: '依据：就在你的浏览器里测量；tests/bench/tables/load.cpp 不用浏览器填满同样的表。指纹 16 比特。先随机踢出，与论文和前面的场景相同；再按本库的做法：先搜索空槽位，然后才踢出。论文的装载率是设计时的参考值：单次运行与之相差几个百分点，而 64 个槽位的小表什么结果都可能出现。',
  },
};

export const zhSpace: Pick<Words, keyof typeof enSpace> = {
  space: {
    title: '每个键的比特数与误判率',
    rate: '误判率',
    bits: '每个键的比特数',
    curves: { cuckoo: '布谷鸟，装载率 95%', semiSorted: '布谷鸟，半排序', bloom: '布隆', limit: '理论下限' },
    rateIs: (rate) => `误判率 ${rate} 时`,
    bitsOf: (bits) => `${bits} 比特`,
    planned: '本库的规划',
    note: '依据：论文第 5 节的公式。本库规划整张表，在更省的地方使用半排序。',
    nibblesTitle: '排序省下一个比特',
    nibbles:
      '一个桶里四个指纹的顺序没有意义，所以按最低四个比特排序存放：9、3、c、3 和 3、c、9、3 都存成 3、3、9、c。65,536 种四元组里只有 3,876 种是有序的，用十二个比特就能说明是哪一种，而不必用十六个。省下的四个比特每个指纹各得一个，误判率减半。',
  },
  bloom: {
    title: '布隆与布谷鸟：并排比较',
    lead: (keys, bits, probes) =>
      `两者都用 ${bits} 比特保存同样的 ${keys} 个键。布隆过滤器为每个键将 ${probes} 个比特设为 1。`,
    key: '在两者中查询一个键',
    ask: '查询',
    askPresent: '查一个已存入的键',
    bloom: '布隆过滤器',
    cuckoo: '布谷鸟过滤器',
    bloomBits: (set, all) => `布隆过滤器：共 ${all} 个比特，其中 ${set} 个为 1`,
    cuckooSlots: (full, all) => `布谷鸟过滤器：${all} 个槽位中占用 ${full} 个`,
    bitReads: (count) => (count === 1 ? '读了 1 个比特。' : `读了 ${count} 个比特，散布在内存各处。`),
    bucketReads: (count, buckets) => `读了 ${count} 个槽位，在${buckets === 1 ? '一' : '两'}个桶里。`,
    wrong: (key) => `“${isolated(key)}”从未插入：这是误判。`,
    noDelete: '它不能删除：同一个比特可能属于许多键。',
    canDelete: '它可以删除：每个指纹有自己的槽位。',
  },
};

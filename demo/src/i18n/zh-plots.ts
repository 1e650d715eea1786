// 测量与图的文字（简体中文）。
// Invariant: the same keys as en-plots.ts.
import type { Words } from './en';
import { enPlots, percent } from './en-plots';

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
    nothing: '还没有测量',
    stop: '停止',
    progress: '进度',
    regions: '各区域的装载率',
    region: '区域',
    slots: (first, last) => `槽位 ${first} 到 ${last}`,
  },
  race: {
    title: '四张表同时填充',
    slots: '每张表的槽位数',
    kicks: '每次插入最多踢出',
    start: '开始比赛',
    lane: (slots) => `每桶 ${slots} 个槽位`,
    map: (slots, load) => `每桶 ${slots} 个槽位的表，装载率 ${load}：深色像素是已占用的槽位`,
    paper: (percent) => `论文按 ${percent}% 设计。`,
    summary: (loads) => `装满时 ${loads}。`,
    kicksPlot: '每次插入的踢出次数与装载率',
    ahead: (percent) => `先看一步：${percent}。`,
    aheadLane: (slots) => `${slots}，先看一步`,
    note: '指纹 16 比特。先随机踢出，与论文和前面的场景相同；再用虚线表示本库的做法：先看一步，踢出能找到空位的那个（见“本库多做了什么”）。论文的装载率是设计时的参考值：单次运行与之相差几个百分点，而 64 个槽位的小表什么结果都可能出现。',
  },
  rates: {
    title: '测量一下',
    bits: '指纹比特数（f）',
    probes: '查询多少个不存在的键',
    rate: '误判率',
    plot: (bits) => `误判率与装载率，f = ${bits}，b = 4`,
    exact: '精确值，由核心的公式给出',
    measured: '测量值，带 95% 置信区间',
    start: '开始查询',
    summary: (hits, asked, low, high) =>
      `在最后的装载率下 ${asked.toLocaleString('en')} 个中有 ${hits.toLocaleString('en')} 个；95% 置信区间是 ${low} 到 ${high}。`,
    note: '4,096 个桶，每桶 4 个槽位。要把 3% 的误判率测到十分之一的精度，约需 12,000 个键；0.2% 需 200,000 个；0.012% 需三百万个。',
  },
  lengths: {
    title: '2 到 16 比特的指纹',
    bits: '指纹比特数',
    ratePlot: '装载率 95% 时的误判率，b = 4',
    loadPlot: '第一次拒绝时的装载率，32,768 个桶，每桶 4 个槽位',
    loadFull: '装满时的装载率',
    random: '随机踢出',
    ahead: '先看一步',
    start: '填充十五张表，各两次',
    note: '过早拒绝的表，浪费了短指纹省下的内存。',
  },
};

// 开始页以外各处共用的文字（简体中文）。
import { count, percent, short } from '../model/text';
import type { Words } from './en';

export const zhRest: Pick<Words, 'scenes' | 'lesson' | 'boards' | 'ways' | 'paper' | 'policies' | 'plot'> = {
  scenes: {
    names: {
      title: '布谷鸟哈希表',
      lead: '先看前身：布谷鸟哈希表。每个名字有两个位置，被踢出的就去另一个位置。',
    },
    homes: {
      title: '用异或得到两个候选桶',
      lead: '一个指纹有两个候选桶，单凭指纹就能从一个找到另一个，不需要键。',
    },
    lookup: {
      title: '查询一个键',
      lead: '查询时读键的两个候选桶，比较指纹。（插入时在其中之一占一个空槽位。）',
    },
    kick: {
      title: '踢出链',
      lead: '新键的两个候选桶都满了。于是其中的一个指纹被踢出，必须搬到它的另一个候选桶。',
    },
    fail: {
      title: '插入失败时',
      lead: '有时在允许的踢出次数内找不到空槽位。这时手中的那个指纹怎么办？',
    },
    hunt: {
      title: '找出误判',
      lead: '查询可能对一个从未插入过的键说“可能存在”：别的键在它的候选桶里留下了同样的指纹。这就是误判（假阳性）。',
    },
    delete: {
      title: '致命的删除',
      lead: '过滤器可以删除：它删掉一份指纹。但它看不出那是谁的指纹。',
    },
    race: {
      title: '桶大小对比',
      lead: '四张表槽位一样多，桶的大小 b 分别是 1、2、4、8。不断插入键，直到第一个被拒绝。',
    },
    bits: {
      title: '每个键要多少比特',
      lead: '每个键的比特数与误判率：比较布隆过滤器、布谷鸟过滤器和理论下限。',
    },
  },

  lesson: {
    of: (number, all) => `场景 ${number} / ${all}`,
    stop: (number, all) => `第 ${number} 站，共 ${all} 站`,
    about: (number) => `约 ${count(number)}`,
    predict: '你的预测',
    transfer: '再来一题，换个条件',
    lock: '提交',
    skip: '跳过，直接看',
    guess: '你的预测',
    bucketHint: '选一个数字，或点表中的一个桶。',
    running: '一步一步看，或者播放。',
    toResult: '直接看结果',
    measuring: '每张表都首次拒绝之后给出答案，进度条显示进度。',
    toQuestion: '回到题目',
    right: '正确',
    close: '够接近了',
    wrong: '这次不对',
    skipped: '答案',
    yours: (guess) => `你的回答：${guess}。`,
    near: (near, all) => `${all} 个中有 ${near} 个只差几个百分点。`,
    why: '为什么',
    change: '自己动手改一改',
    again: '换一张表，再做两题',
    hunt: '找下一次误判',
    absent: (keys, found) =>
      `${count(keys)} 个从未插入的键，每格一个；有颜色的 ${count(found)} 格，查询结果是“可能存在”。`,
    hunted: (asked, caught) => `问了 ${count(asked)} 个从未插入的键，${caught} 个被当成存在。`,
    goTransfer: '第二题',
    next: (title) => `下一场景：${title}`,
    wayEnds: '讲解到此结束：回到“教学”',
    previous: (title) => `返回：${title}`,
    stages: ['预测', '运行', '比较', '举一反三'],
  },

  boards: {
    twice: '指纹的偏移量决定拨哪几个开关：拨一次，到另一个候选桶；同样再拨一次，就回到原处。',
    flip: (place, bit) => `比特 ${place}，现在是 ${bit}：翻转`,
    offset: '指纹的偏移量',
    xorWith: '异或偏移量',
    noColumn: '从右边起逐列计算：相同的比特得 0，不同的比特得 1。',
    column: (at, of, one, other, result) =>
      `从右数第 ${at} 列，共 ${of} 列：${one} 异或 ${other} 得 ${result}，因为两个比特${one === other ? '相同' : '不同'}。`,
    columnBack: '上一列',
    columnNext: '下一列',
    explore: '自己翻转比特',
    buckets: '桶数',
    meet: (bucket) => `两个候选桶都是桶 ${bucket}。`,
    pair: (one, other) => `候选桶是桶 ${one} 和桶 ${other}。`,
    example: (key) => `有这个指纹和第一候选桶的一个键：“${key}”。`,
    applyAgain: (bucket) => `从桶 ${bucket} 出发：回到原处`,
  },

  ways: {
    title: '同一次插入，两种做法',
    names: ['论文的随机踢出：先踢后看', '本库的搜索：先看后踢'],
    told: (key, walked, looked, searched) =>
      `为了给“${key}”腾地方，随机踢出${walked === null ? '没找到空槽位，全部回滚' : `搬动了 ${walked} 个指纹`}；搜索先看 ${looked} 个桶（虚线），然后${searched === null ? '得知没有空槽位' : `只搬动 ${searched} 个`}。`,
    known: '依据：两者都是本库的轨迹，来自插入前那张表的两份副本。',
    picture: (kicks) => `${kicks} 次踢出之后的表，每次踢出是一个箭头`,
  },
  paper: {
    title: '论文的过滤器与本库的过滤器',
    link: '论文（PDF）：Fan、Andersen、Kaminsky、Mitzenmacher，“Cuckoo Filter: Practically Better Than Bloom”，2014',
    lead: '各场景与论文相同：随机踢出，用异或得到另一个候选桶。本库的不同之处：',
    points: [
      '先看后踢：广度优先搜索找到踢出次数最少的踢出链，找到空槽位之前什么也不搬。',
      '桶数 m 不必是 2 的幂：另一个候选桶是（偏移量 − 桶号）mod m。',
      '选参数时，只要每个键能省下一个比特，就采用半排序（桶内指纹有序）；在论文里这只是一种选择。',
      '表满了可以加倍，直到你选定的容量；论文的表大小不变。',
    ],
  },
  policies: {
    title: '失败后的三种处理',
    none: '还没有哪次插入在踢出之后被拒绝。',
    lead: (key, kicks, print, owner) =>
      `插入“${key}”时，${kicks} 次踢出都没找到空槽位，手中是“${owner}”的 ${print}。到这一步为止，三种设计完全相同，之后各不相同。`,
    names: { back: '回滚', stash: '暂存', drop: '丢弃' },
    whose: { back: '本页的随机踢出', stash: '论文的代码', drop: '许多小型库' },
    back: (kicks) => `从最后一次起，${kicks} 次踢出逐一回滚。表与插入前逐字节相同，新键被拒绝。`,
    stash:
      '新键已插入，查询时也会读暂存区。但暂存区只有一个位置：之后的每次插入都会被拒绝，直到删除一个键腾出空槽位。',
    drop: (owner, print, one, other) =>
      `新键已插入。查询“${owner}”时读${one === other ? `桶 ${one}，里面` : `桶 ${one} 和桶 ${other}，都`}没有 ${print}，于是回答“一定不存在”。`,
    dropNew: '这一次手中正好是新键自己的指纹，所以没有伤到以前接受的键。',
    dropTwin: (owner, print) => `这一次“${owner}”的候选桶里碰巧还有另一个 ${print}，所以仍然找得到它。`,
    lost: (owner) => `丢失：“${owner}”，一个早已接受的键`,
    closed: '没有丢失，但不再接受其他键',
    nobody: '没有丢失',
  },

  plot: {
    data: '以表格查看',
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
};

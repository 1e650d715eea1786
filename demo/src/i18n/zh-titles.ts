// 场景的名称和开头，以及每个场景共用的文字（简体中文）。
// Invariant: the same keys as en-titles.ts.
import type { Words } from './en';

export const zhTitles: Words['scenes'] = {
  names: {
    title: '布谷鸟哈希表',
    lead: '过滤器之前：两张名字表。每个名字有两个位置，被挤出去的就去另一个位置。',
  },
  print: {
    title: '存的是指纹，不是名字',
    lead: '键被哈希成 64 比特。过滤器只保留其中几个比特，叫作指纹（fingerprint），然后忘掉键。',
  },
  homes: {
    title: '用异或得到两个候选桶',
    lead: '一个指纹可以放在两个桶中的任意一个。每个桶都能由另一个桶和指纹算出，不需要键。',
  },
  lookup: {
    title: '插入与查询',
    lead: '插入时在两个候选桶之一占一个空槽位。查询时读两个候选桶，比较指纹。',
  },
  kick: {
    title: '踢出链',
    lead: '新键的两个候选桶都满了。于是其中的一个指纹被踢出，必须搬到它的另一个候选桶。',
  },
  graph: {
    title: '布谷鸟图',
    lead: '桶是节点；每个指纹是它两个候选桶之间的一条边，箭头指向它所在的桶。',
  },
  fail: {
    title: '插入失败时',
    lead: '有时在允许的踢出次数内找不到空位。这时手中的那个指纹怎么办？',
  },
  hunt: {
    title: '找出误判',
    lead: '查询可能对一个从未插入过的键说“可能存在”：别的键在它的候选桶里留下了同样的指纹。这就是假阳性（误判）。',
  },
  delete: {
    title: '致命的删除',
    lead: '过滤器可以删除：它移除一份指纹。但它看不出那是谁的指纹。',
  },
  copies: {
    title: '重复的键',
    lead: '同一个键的所有副本有同样的指纹和同样的两个候选桶。没有第三个地方可去。',
  },
  race: {
    title: '桶大小竞赛',
    lead: '四张表槽位一样多，桶的大小分别是 1、2、4、8。不断插入键，直到第一个被拒绝。',
  },
  length: {
    title: '指纹要多长',
    lead: '指纹每多一个比特，每个键都多占一点内存。大约从 5 比特起，每多一个比特误判率减半；更短的指纹太容易碰巧相同，多一个比特的作用更小。',
  },
  space: {
    title: '每个键要多少比特',
    lead: '每个键的比特数与误判率：布隆过滤器、布谷鸟过滤器、半排序的布谷鸟过滤器，以及理论下限。',
  },
  sorting: {
    title: '半排序',
    lead: '桶里几个指纹的顺序没有意义。排好序，它们占的比特更少，省下的比特让每个指纹更长。',
  },
  bloom: {
    title: '布隆与布谷鸟并排',
    lead: '同样的键，同样多的比特：布隆过滤器把一个键散布在内存各处，布谷鸟过滤器把它放在两个桶之一。',
  },
  growing: {
    title: '不靠键的扩容',
    lead: '表满了，却不能重新哈希：键早已忘掉。所以可增长的过滤器要预留几个比特。',
  },
  better: {
    title: '本库多做了什么',
    lead: '论文里的表，桶数是 2 的幂，踢出是随机的。本库支持任意桶数，踢出前先看一步，没有空位时把每次踢出都回滚。',
  },
};

export const zhLesson: Words['lesson'] = {
  of: (number, all) => `场景 ${number} / ${all}`,
  predict: '你的预测',
  transfer: '再来一题，换个条件',
  lock: '提交',
  skip: '跳过，直接看',
  guess: '你的猜测',
  bucketHint: '选一个数字，或点表中的一个桶。',
  running: '一步一步看，或者播放。',
  toResult: '直接看结果',
  measuring: '正在测量：见图下方的进度条。',
  toQuestion: '回到题目',
  right: '正确',
  close: '够接近了',
  wrong: '这次不对',
  skipped: '答案',
  yours: (guess) => `你的回答：${guess}。`,
  why: '为什么',
  change: '自己动手改一改',
  again: '再来一题类似的',
  goTransfer: '换个条件再试',
  next: (title) => `下一个：${title}`,
  previous: (title) => `返回：${title}`,
  score: (right, asked) => `答对 ${right} / ${asked}`,
  scoreNote: '以第一次回答为准；只保存在本设备',
  forget: '清除',
  bucket: (n) => `桶 ${n}`,
  stages: ['预测', '运行', '比较', '举一反三'],
};

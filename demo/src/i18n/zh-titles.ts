// 场景的名称和开头，以及每个场景共用的文字（简体中文）。
import type { Words } from './en';

export const zhTitles: Words['scenes'] = {
  names: {
    title: '布谷鸟哈希表',
    lead: '过滤器之前：两张名字表。每个名字有两个位置，被挤出去的就去另一个位置。',
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
  fail: {
    title: '插入失败时',
    lead: '有时在允许的踢出次数内找不到空槽位。这时手中的那个指纹怎么办？',
  },
  hunt: {
    title: '找出误判',
    lead: '查询可能对一个从未插入过的键说“可能存在”：别的键在它的候选桶里留下了同样的指纹。这就是假阳性（误判）。',
  },
  delete: {
    title: '致命的删除',
    lead: '过滤器可以删除：它删掉一份指纹。但它看不出那是谁的指纹。',
  },
  race: {
    title: '桶大小竞赛',
    lead: '四张表槽位一样多，桶的大小分别是 1、2、4、8。不断插入键，直到第一个被拒绝。',
  },
  bits: {
    title: '每个键要多少比特',
    lead: '每个键的比特数与误判率：布隆过滤器、布谷鸟过滤器、半排序的布谷鸟过滤器，以及理论下限。',
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
  measuring: '每张表都首次拒绝之后给出答案，进度条显示进度。',
  toQuestion: '回到题目',
  right: '正确',
  close: '够接近了',
  wrong: '这次不对',
  skipped: '答案',
  yours: (guess) => `你的回答：${guess}。`,
  why: '为什么',
  change: '自己动手改一改',
  again: '换一张表，再做两题',
  goTransfer: '第二题',
  search: '踢出前先搜索空槽位',
  next: (title) => `下一个：${title}`,
  wayEnds: '讲解到此结束：回到“教学”',
  previous: (title) => `返回：${title}`,
  bucket: (n) => `桶 ${n}`,
  stages: ['预测', '运行', '比较', '举一反三'],
};

// 代替表格的演示板和运行记录的文字（简体中文）。
// Invariant: the same keys as en-boards.ts.
import type { Words } from './en';

export const zhBoards: Words['boards'] = {
  key: '键',
  otherKey: '另一个键',
  hash: '哈希，64 比特',
  homeBits: '选出候选桶 1',
  keptBits: (bits) => `保留：指纹，${bits} 比特`,
  droppedBits: '丢弃',
  differ: (count, all) => `${all} 个比特中有 ${count} 个不同。`,
  notStored: '两个键都没有存在任何地方：只有保留的比特才会进入表。',
  flip: (place, bit) => `比特 ${place}，现在是 ${bit}：翻转`,
  fingerprint: '指纹',
  homeOne: '候选桶 1',
  minusHomeOne: '- 候选桶 1',
  homeTwo: '候选桶 2',
  homeTwoModulo: (count) => `候选桶 2，mod ${count}`,
  offset: '指纹的哈希',
  xorWith: '异或它的哈希',
  reflectWith: '它的哈希',
  noColumn: '从右边起逐列计算：相同的比特得 0，不同的比特得 1。',
  column: (at, of, one, other, result) =>
    `从右数第 ${at} 列，共 ${of} 列：${one} XOR ${other} = ${result}，因为两个比特${one === other ? '相同' : '不同'}。`,
  columnBack: '后退一列',
  columnNext: '下一列',
  explore: '自己翻转比特',
  buckets: '桶数',
  way: (count, isXor) => (isXor ? `${count}，异或` : `${count}，反射 (哈希 - i) mod ${count}`),
  meet: (bucket) => `两个候选桶都是桶 ${bucket}。`,
  pair: (one, other) => `候选桶是桶 ${one} 和桶 ${other}。`,
  example: (key) => `有这个指纹和候选桶 1 的一个键：“${key}”。`,
  applyAgain: (bucket) => `从桶 ${bucket} 出发：回到原处`,
  ring: (count, from, to) => `环上 ${count} 个桶；候选桶 1 是 ${from}，候选桶 2 是 ${to}`,
  ringAsking: (count, from) => `环上 ${count} 个桶；候选桶 1 是 ${from}`,
};

export const zhRecordings: Words['recordings'] = {
  label: '这是其他程序的运行记录，不是本库。',
  labelOf: (source) => `这是 ${source} 的运行记录，不是本库。`,
  xorTitle: (count) => `会出什么错：${count} 个桶用异或`,
  xorLead: (offset, count) =>
    `三个公开的演示用 (i XOR ${offset}) mod ${count} 计算另一个候选桶。去了再回来：`,
  from: '出发',
  to: '到达',
  back: '返回',
  xorLost: (lost, count) => `${count} 个桶中有 ${lost} 个回不到原处。沿这条路搬走的指纹再也找不到了。`,
  stashTitle: '带暂存区的设计',
  stashCopies: (copies) => `同一个键插入 ${copies} 次：全部存入，最后一份进了暂存区。`,
  stashOther: (number, answer) => `其他键，第 ${number} 个：${answer}。`,
  stashSum: (copies, slots) =>
    `暂存区一旦占用，就插不进任何键：${slots} 个槽位只用了 ${copies - 1} 个就开始拒绝，直到删除一个键。`,
};

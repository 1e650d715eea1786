// 代替或陪衬表格的画板的文字（简体中文）。
import type { Words } from './en';
import type { enHidden } from './en-boards';

export const zhBoards: Words['boards'] = {
  flip: (place, bit) => `比特 ${place}，现在是 ${bit}：翻转`,
  fingerprint: '指纹',
  homeOne: '候选桶 1',
  homeTwo: '候选桶 2',
  offset: '指纹的哈希',
  xorWith: '异或它的哈希',
  noColumn: '从右边起逐列计算：相同的比特得 0，不同的比特得 1。',
  column: (at, of, one, other, result) =>
    `从右数第 ${at} 列，共 ${of} 列：${one} 异或 ${other} 得 ${result}，因为两个比特${one === other ? '相同' : '不同'}。`,
  columnBack: '后退一列',
  columnNext: '下一列',
  explore: '自己翻转比特',
  buckets: '桶数',
  meet: (bucket) => `两个候选桶都是桶 ${bucket}。`,
  pair: (one, other) => `候选桶是桶 ${one} 和桶 ${other}。`,
  example: (key) => `有这个指纹和候选桶 1 的一个键：“${key}”。`,
  applyAgain: (bucket) => `从桶 ${bucket} 出发：回到原处`,
};

export const zhHidden: Pick<Words, keyof typeof enHidden> = {
  ways: {
    title: '同一次插入，两种做法',
    names: ['论文的随机踢出：先踢后看', '本库的搜索：先看后踢'],
    told: (key, walked, looked, searched) =>
      `为了给“${key}”腾地方，随机踢出${walked === null ? '没找到空槽位，全部回滚' : `搬动了 ${walked} 个指纹`}；搜索先多看 ${looked} 个桶（虚线），然后${searched === null ? '得知没有空槽位' : `只搬动 ${searched} 个`}。`,
    known: '依据：两者都是本库的轨迹，来自插入前那张表的两份副本。',
    picture: (kicks) => `${kicks} 次踢出之后的表，每次踢出是一个箭头`,
  },
  policies: {
    title: '失败后的三种处理',
    none: '还没有哪次插入在踢出之后被拒绝。',
    lead: (key, kicks, print, owner) =>
      `插入“${key}”时，${kicks} 次踢出都没找到空槽位，手中是“${owner}”的 ${print}。到这一步为止，三种设计完全相同，之后各不相同。`,
    names: { back: '回滚', stash: '暂存', drop: '丢弃' },
    whose: { back: '本页的随机踢出', stash: '论文的代码', drop: '许多小型库' },
    back: (kicks) =>
      `从最后一次起，${kicks} 次踢出逐一回滚。表与插入前逐字节相同，新键被拒绝。本库找到空槽位之前什么也不搬。`,
    stash:
      '新键已存入，查询时也会读暂存区。但暂存区只有一个位置：之后的每次插入都会被拒绝，直到删除一个键腾出空槽位。',
    drop: (owner, print, one, other) =>
      `新键已存入。查询“${owner}”时读${one === other ? `桶 ${one}，里面` : `桶 ${one} 和桶 ${other}，都`}没有 ${print}，于是回答“一定不存在”。`,
    dropNew: '这一次手中正好是新键自己的指纹，所以没有伤到以前接受的键。',
    dropTwin: (owner, print) => `这一次“${owner}”的候选桶里碰巧还有另一个 ${print}，所以仍然找得到它。`,
    lost: (owner) => `丢失：“${owner}”，一个早已接受的键`,
    closed: '没有丢失，但不再接受其他键',
    nobody: '没有丢失',
  },
};

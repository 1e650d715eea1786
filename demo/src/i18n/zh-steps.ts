// 每一步的讲解（简体中文）。
import type { Words } from './en';
import { isolated } from '../model/text';

const place = (bucket: number, slot: number): string => `桶 ${bucket} 的槽位 ${slot}`;
const bucketsOf = (numbers: readonly number[]): string => `桶 ${numbers.join('、')}`;

export const zhSteps: Words['steps'] = {
  operation: {
    insert: (key) => `插入“${key}”`,
    contains: (key) => `查询“${key}”`,
    erase: (key) => `删除“${key}”`,
    clear: () => '清空表',
  },
  gap: () => '',
  key: (key) => (key === '' ? '空键' : `“${isolated(key)}”`),

  locate: (key, bits, fingerprint, primary) =>
    `${key}的哈希有 64 个比特。最后 ${bits} 个是它的指纹 ${fingerprint}，开头的几个选出第一候选桶：桶 ${primary}。`,
  alternate: (sum, alternate, isSame, _primary, isXor) =>
    `${isXor ? '第二候选桶等于第一候选桶异或（XOR）指纹的偏移量' : '第二候选桶等于指纹的偏移量减去第一候选桶，再对桶数取模'}：${sum}，${isSame ? `还是桶 ${alternate}，两个候选桶是同一个桶` : `即桶 ${alternate}`}。${isXor ? '两个比特相同得 0，不同得 1。' : ''}`,

  homeHasRoom: (bucket, slot) => `候选桶里有空槽位吗？有：${place(bucket, slot)} 是空的。`,
  homeIsFull: (bucket) => `候选桶里有空槽位吗？没有：桶 ${bucket} 已满。`,
  matchFound: (fingerprint, bucket, slot) => `指纹 ${fingerprint} 在${place(bucket, slot)}。`,
  matchNotFound: (fingerprint, bucket) => `指纹 ${fingerprint} 不在桶 ${bucket} 里。`,
  readAnyway: () => '两个候选桶总是都要读。',
  kick: (number, isCoin, victim, incoming, bucket, slot, bucketSize) =>
    `第 ${number} 次踢出：${isCoin ? `两个候选桶中随机选中桶 ${bucket}` : `桶 ${bucket} 里`}${bucketSize === 1 ? '只有一个槽位' : `${isCoin ? '，' : ''}随机选中槽位 ${slot}`}。${incoming} 占据这个槽位，${victim} 必须离开。`,
  kickTo: (sum, to) => `它的另一个候选桶是 ${sum}，即桶 ${to}。`,
  landingIsFull: (bucket) => `桶 ${bucket} 也满了。`,
  look: (from, isFirst, to, withRoom) => {
    const where = `桶 ${from} 中各个指纹的另一个候选桶：${bucketsOf(to)}`;
    const seen =
      withRoom.length > 0 ? `${bucketsOf(withRoom)} 有空槽位` : to.length === 1 ? '它已满' : '全都满了';
    return isFirst
      ? `两个候选桶都满了。移动之前，过滤器先查看${where}。${seen}。`
      : `接着查看${where}。${seen}。`;
  },
  found: (kicks) =>
    kicks === 1
      ? '找到了踢出链：踢出一次就有空槽位。原来的指纹先搬走，新指纹再进来，这样每个键随时都能找到。'
      : `找到了踢出链：踢出 ${kicks} 次就有空槽位，再少不行。从链的末端开始移动，这样每个键随时都能找到。`,
  move: (kick, fingerprint, from, slot, to, toSlot) =>
    `第 ${kick} 次踢出：${fingerprint} 从${place(from, slot)} 搬到${place(to, toSlot)}。`,
  moveIn: (fingerprint, bucket, slot) => `${fingerprint} 存入刚刚空出的${place(bucket, slot)}。`,
  landing: (bucket, slot) => `桶 ${bucket} 有一个空槽位：槽位 ${slot}。`,

  kickToSame: (to) => `它的两个候选桶都是桶 ${to}，所以只能留在这个桶里。`,
  place: (fingerprint, bucket, slot) => `${fingerprint} 存入${place(bucket, slot)}。`,
  placeAfterKicks: (fingerprint, bucket, slot, kicks) =>
    `${fingerprint} 落入${place(bucket, slot)}。踢出链在 ${kicks} 次踢出后结束。`,
  undo: (number, fingerprint, bucket, slot) =>
    `回滚第 ${number} 次踢出：${fingerprint} 回到${place(bucket, slot)}。`,
  remove: (fingerprint, bucket, slot) => `从${place(bucket, slot)} 删除 ${fingerprint}。`,
  reset: () => '所有槽位都被清空。',

  added: (key) => `${key}已插入，没有踢出任何指纹。`,
  addedAfterKicks: (key, kicks) =>
    `经过 ${kicks} 次踢出，${key}插入成功。每个指纹仍在自己的两个候选桶之一里。`,
  full: (key, kicks) => `${key}没有插入：${kicks} 次踢出都没找到空槽位，已全部回滚。什么都没变，什么都没丢。`,
  fullAfterSearch: (key) => `${key}没有插入：踢出能到达的桶全都满了。什么都没搬动，什么都没丢。`,
  fullWithoutKicks: (key) => `${key}没有插入：候选桶已满，又不允许踢出。什么都没变，什么都没丢。`,
  tooManyCopies: (key, fingerprint) =>
    `${key}没有插入：它的候选桶里每个槽位都已经是 ${fingerprint}。什么都没变，什么都没丢。`,
  maybe: (key) => `${key}可能存在：表里有它的指纹，但也可能是别的键留下的。`,
  never: (key) => `${key}一定不存在：两个候选桶都没有它的指纹。`,
  erased: (key) => `${key}的指纹少了一份。`,
  notErased: (key) => `什么也没删除：两个候选桶都没有${key}的指纹。`,
  cleared: () => '表是空的。',

  remarks: {
    truePositive: (key) => `${key}插入过。`,
    trueNegative: (key) => `${key}不在过滤器里。`,
    falseNegative: (key) => `${key}插入过，之后没有删除。过滤器把它弄丢了。`,
  },
  otherOwner: (key, owner) => `${key}不在过滤器里。这个指纹来自${owner}，过滤器分不清它们。`,
  harmedOwner: (owner) => `这个指纹来自${owner}，过滤器以后可能找不到${owner}了。`,
};

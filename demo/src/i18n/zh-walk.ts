// 讲解踢出的句子（简体中文）：为什么是这个指纹，为什么去那里。
// Invariant: the same sentences as en-walk.ts.
import type { enWalk, enWhy } from './en-walk';

export const zhWalk: typeof enWalk = {
  kickRandom: (number, victim, incoming, bucket, slot, bucketSize) =>
    `第 ${number} 次踢出：${incoming} 占据桶 ${bucket} 的槽位 ${slot}，${bucketSize === 1 ? '那里唯一的' : '随机抽到的'} ${victim} 必须离开。`,
  kickTo: (bucket, victim, hash, sum) =>
    `它原来在桶 ${bucket}。${victim} 的哈希是 ${hash}，所以另一个候选桶是 ${sum}。`,
  landingIsFull: (bucket) => `桶 ${bucket} 也满了。`,
  aheadOne: (from, chosen, to) =>
    `谁该离开桶 ${from}？踢出之前，过滤器先读每个指纹的另一个候选桶。只有桶 ${to} 有空位，所以选 ${chosen}。`,
  aheadSome: (from, withRoom, chosen) =>
    `谁该离开桶 ${from}？踢出之前，过滤器先读每个指纹的另一个候选桶。${withRoom.join('、')} 都能找到空位，从中抽到 ${chosen}。`,
  aheadNone: (from, chosen) =>
    `谁该离开桶 ${from}？过滤器读了每个指纹的另一个候选桶，全都满了。所以从所有指纹中抽到 ${chosen}。`,
  aheadFar: (from, chosen) =>
    `谁该离开桶 ${from}？另一个候选桶全都满了，过滤器就再多看一步。选 ${chosen}，因为再踢出一次就有空位。`,
  aheadClosed: () => '过滤器沿着这些桶的每条出路查看：通向的桶全都满了。再踢出也没有用，所以到此为止。',
};

export const zhWhy: typeof enWhy = {
  open: '逐个比特看',
  here: '原来的桶',
  hash: (fingerprint) => `${fingerprint} 的哈希`,
  there: '要去的桶',
  rule: '两个比特相同得 0，不同得 1。',
  reflect: (one, other, hash, count) => `两个候选桶相加等于哈希 ${hash}（模 ${count}）：${one} 和 ${other}。`,
  back: '同样的算式也能算回来，所以不需要键。',
  room: '有空位',
  full: '已满',
};

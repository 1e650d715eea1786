// 讲解踢出的句子（简体中文）：为什么是这个指纹，为什么去那里。
// Invariant: the same sentences as en-walk.ts.
import type { enWalk, enWhy } from './en-walk';

export const zhWalk: typeof enWalk = {
  kickRandom: (number, isCoin, victim, incoming, bucket, slot, bucketSize) =>
    `第 ${number} 次踢出：${isCoin ? `两个候选桶中抛硬币选中桶 ${bucket}` : `桶 ${bucket} 里`}${bucketSize === 1 ? '只有一个槽位' : `${isCoin ? '，' : ''}抽签抽中槽位 ${slot}`}。${incoming} 占据这个槽位，${victim} 必须离开。`,
  kickTo: (sum, to) => `它的另一个候选桶是 ${sum}，即桶 ${to}。`,
  coin: (bucket) => `两个候选桶都满了，抛硬币选中桶 ${bucket}。`,
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

export const zhWhy: typeof enWhy = { room: '有空位', full: '已满' };

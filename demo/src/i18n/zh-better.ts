// “本库多做了什么”场景的文字（简体中文）。
// Invariant: the same keys as en-better.ts.
import type { enBetter } from './en-better';

export const zhBetter: typeof enBetter = {
  ask: [
    ({ fingerprint, primary, offset, count }) =>
      `本库默认用反射，因为它适用于任意桶数，例如 ${count}：候选桶 2 = (指纹的哈希 − 候选桶 1) mod ${count}。${fingerprint} 的哈希是 ${offset}，候选桶 1 是 ${primary}。候选桶 2 是哪个桶？`,
    ({ key, plain }) => `随机踢出时，“${key}”要踢出 ${plain} 次才能放进这张表。如果先看一步，要踢出几次？`,
  ],
  option: (option) => option,
  found: [
    ({ answer }) => `候选桶 2 是桶 ${answer}。再反射一次，就回到原处。`,
    ({ answer, plain }) => `只要 ${answer} 次，而不是 ${plain} 次。`,
  ],
  why: [
    '反射对任意桶数都是自己的逆：设哈希为 c、桶号为 i，(c − (c − i)) mod m = i。异或不是：有 12 个桶时结果可能不存在，再取 mod 12 就回不到原处。',
    '每次踢出之前，过滤器先读所有可能离开的指纹的另一个候选桶，踢出能找到空位的那个：先看一步，踢出 32 次之后看两步。如果怎么踢都没用，就把所有踢出回滚：见场景 6。',
  ],
  change: '在“表的设置”里用示例键填到 80%，一次选随机的，一次选先看一步；建表后按“演示一次踢出”。',
};

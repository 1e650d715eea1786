// 习题单在题目旁边印出的内容（简体中文）。
// Invariant: the same keys as en-sheet.ts.
import type { Words } from './en';
import type { enSheet } from './en-sheet';

export const zhSheet: Pick<Words, keyof typeof enSheet> = {
  sheet: {
    located: (key, fingerprint, one, other) =>
      one === other
        ? `“${key}”的指纹是 ${fingerprint}，两个候选桶都是桶 ${one}。`
        : `“${key}”的指纹是 ${fingerprint}，候选桶是桶 ${one} 和桶 ${other}。`,
    order: '从左到右读槽位：先读第一个候选桶，再读第二个，读到匹配为止。',
    other: (bucket) => `→ ${bucket}`,
    otherNote: '每个指纹下面是它的另一个候选桶。',
    kick: (bucket, slot) => `${bucket}.${slot}`,
    kicks: (slots) =>
      `每次踢出把手中的指纹放进一个槽位，取出原来的指纹。依次是这些槽位（桶.槽位，从 0 数起）：${slots.join('、')}。`,
    owners: '每个指纹下面是带来它的键，出自页面记录。',
  },
};

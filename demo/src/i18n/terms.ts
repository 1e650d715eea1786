// The field's words in both languages, for each scene: shown once where the page is Chinese.
// Invariant: each Chinese word is one that the page uses (a test looks).
import type { SceneId } from '../model/places';

const TERMS: Readonly<Record<SceneId, string>> = {
  homes: '桶 bucket, 指纹 fingerprint, 候选桶 candidate bucket, 偏移量 offset, 异或 XOR',
  lookup: '查询 lookup, 可能存在 maybe present, 一定不存在 definitely not',
  kick: '踢出 kick, 踢出链 kick path',
  fail: '踢出次数 number of kicks, 连通分量 connected component, 回滚 roll back, 暂存区 stash',
  hunt: '误判（假阳性） false positive, 误判率 false positive rate',
  delete: '删除 delete, 漏判 false negative',
  race: '装载率 load factor, 桶的大小 bucket size',
  bits: '误判率 false positive rate, 布隆过滤器 Bloom filter, 半排序 semi-sorting',
};

/** Chinese and English, in pairs. */
export function termsOf(scene: SceneId): readonly (readonly [zh: string, en: string])[] {
  return TERMS[scene].split(', ').map((term) => {
    const [zh = '', ...en] = term.split(' ');
    return [zh, en.join(' ')];
  });
}

// The field's words in both languages, for each scene: shown once where the page is Chinese.
// Invariant: each Chinese word is one that the page uses (a test looks).
import type { SceneId } from '../model/places';

export const TERMS: Readonly<Record<SceneId, readonly (readonly [zh: string, en: string])[]>> = {
  print: [
    ['键', 'key'],
    ['哈希', 'hash'],
    ['指纹', 'fingerprint'],
    ['槽位', 'slot'],
  ],
  homes: [
    ['桶', 'bucket'],
    ['候选桶', 'candidate bucket'],
    ['异或', 'XOR'],
    ['反射', 'reflection'],
  ],
  lookup: [
    ['查询', 'lookup'],
    ['可能存在', 'maybe present'],
    ['一定不存在', 'definitely not'],
  ],
  kick: [
    ['踢出', 'kick'],
    ['踢出链', 'kick path'],
  ],
  graph: [
    ['布谷鸟图', 'cuckoo graph'],
    ['连通分量', 'connected component'],
  ],
  fail: [
    ['踢出次数', 'number of kicks'],
    ['回滚', 'roll back'],
    ['暂存区', 'stash'],
  ],
  hunt: [
    ['假阳性（误判）', 'false positive'],
    ['误判率', 'false positive rate'],
    ['置信区间', 'confidence interval'],
  ],
  delete: [
    ['删除', 'delete'],
    ['假阴性', 'false negative'],
  ],
  copies: [
    ['副本', 'copy'],
    ['暂存区', 'stash'],
  ],
  race: [
    ['装载率', 'load factor'],
    ['桶的大小', 'bucket size'],
  ],
  length: [
    ['误判率', 'false positive rate'],
    ['装载率', 'load factor'],
  ],
  space: [
    ['误判率', 'false positive rate'],
    ['布隆过滤器', 'Bloom filter'],
  ],
  sorting: [
    ['半排序', 'semi-sorting'],
    ['指纹', 'fingerprint'],
  ],
  bloom: [
    ['布隆过滤器', 'Bloom filter'],
    ['布谷鸟过滤器', 'cuckoo filter'],
  ],
  growing: [
    ['扩容', 'growth'],
    ['预留比特', 'reserved bits'],
  ],
  better: [
    ['反射', 'reflection'],
    ['先看一步', 'look-ahead'],
    ['回滚', 'roll back'],
  ],
};

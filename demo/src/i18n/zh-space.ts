// 内存、半排序和布隆三个场景的文字（简体中文）。
// Invariant: the same keys as en-space.ts.
import type { Words } from './en';
import type { enSpace } from './en-space';
import { isolated } from './isolated';

export const zhSpace: Pick<Words, keyof typeof enSpace> = {
  space: {
    title: '每个键的比特数与误判率',
    rate: '误判率',
    bits: '每个键的比特数',
    curves: { cuckoo: '布谷鸟，装载率 95%', semiSorted: '布谷鸟，半排序', bloom: '布隆', limit: '理论下限' },
    rateIs: (rate) => `误判率 ${rate} 时`,
    bitsOf: (bits) => `${bits} 比特`,
    planned: '本库的规划',
    note: '论文的公式。本库规划整张表，在更省的地方使用半排序。',
    tableTitle: '一张半排序的表',
    tableLead: '插入一个键，一步一步看：每次改变后桶被排序，低比特部分的编码随之改变。',
    nibblesTitle: '排序省下一个比特',
    nibblesLead: '一个桶里四个指纹的最低四个比特。转动拨盘：四个指纹的顺序没有意义。',
    dial: (i) => `指纹 ${i}`,
    up: (i) => `指纹 ${i}：加一`,
    down: (i) => `指纹 ${i}：减一`,
    orders: (count) => (count === 1 ? '这四个只有一种排法。' : `这四个有 ${count} 种排法，都是同一种形式。`),
    forms: (forms, all) => `${all.toLocaleString('en')} 种里只剩 ${forms.toLocaleString('en')} 种形式：`,
    saved: (bits, before) => `用 ${bits} 比特代替 ${before} 比特，每个指纹省一个比特。`,
  },
  bloom: {
    lead: (keys, bits, probes) =>
      `两者都用 ${bits} 比特保存同样的 ${keys} 个键。布隆过滤器为每个键将 ${probes} 个比特设为 1。`,
    key: '在两者中查询一个键',
    ask: '查询',
    askPresent: '查一个已存入的键',
    bloom: '布隆过滤器',
    cuckoo: '布谷鸟过滤器',
    bloomBits: (set, all) => `布隆过滤器：共 ${all} 个比特，其中 ${set} 个为 1`,
    cuckooSlots: (full, all) => `布谷鸟过滤器：${all} 个槽位中占用 ${full} 个`,
    bitReads: (count) => `读了 ${count} 个比特，散布在内存各处。`,
    bucketReads: (count) => `读了 ${count} 个槽位，在两个桶里。`,
    wrong: (key) => `“${isolated(key)}”从未放入：这是误判。`,
    noDelete: '它不能删除：同一个比特可能属于许多键。',
    canDelete: '它可以删除：每个指纹有自己的槽位。',
  },
};

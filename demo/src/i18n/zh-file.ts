// 访问者自己的过滤器文件（简体中文）。
// Invariant: the same keys as en-file.ts.
import type { Words } from './en';
import type { enFile } from './en-file';
import { zhPlots } from './zh-plots';

const { number, percent } = zhPlots.plot;
const count = (value: number): string => value.toLocaleString('en');

export const zhFile: Pick<Words, keyof typeof enFile> = {
  file: {
    title: '你自己的过滤器',
    lead: '查看你的程序用 serialize()，或命令行用 --save 保存的过滤器里有什么。文件不会离开本设备。',
    drop: '把 .cuckoo 文件拖到这里',
    choose: '选择文件',
    note: '手边没有文件？可以用首页的表。保存的文件不保留桶内的顺序。',
    saveTable: '保存那张表',
    refused: (name, why) => `无法打开 ${name}：${why}`,
    tooLarge: (bytes, most) => `文件有 ${count(bytes)} 字节，本页最多接受 ${count(most)} 字节`,
    layers: '这是可扩展的过滤器：条目可能分布在几张表里，所以不画图。',
    notDrawn: (most) => `超过 ${count(most)} 个槽位的表不画图。`,
    key: '查询一个键',
    kind: '键的类型',
    kinds: { text: '文本', number: '整数' },
    copies: (copies) => `，${copies} 份`,
    told: (key, answer) => `${key}：${answer}`,
    noNumber: (key) => `${key} 不是 -2^63 到 2^64 - 1 之间的整数。`,
    figures: (sizes) => [
      ['条目数', count(sizes.size)],
      ['容量', count(sizes.capacity)],
      ['装载率', percent(100 * sizes.loadFactor)],
      ['桶', `${count(sizes.bucketCount)} 个，每桶 ${sizes.bucketSize} 个槽位`],
      ...(sizes.layers > 1 ? ([['层数', String(sizes.layers)]] as const) : []),
      [
        '指纹',
        `${sizes.fingerprintBits} 比特${sizes.hasReserved ? ' + 供扩容的预留比特' : ''}${sizes.isSemiSorted ? '，半排序' : ''}`,
      ],
      ['另一个候选桶', sizes.addressing === 'xor' ? '异或' : '反射'],
      ['哈希', sizes.hash],
      ['最多踢出', `${count(sizes.maxKicks)} 次`],
      ['表', `${count(sizes.byteLength)} 字节`],
      ['每个键的比特数', sizes.size > 0 ? number(sizes.bitsPerKey) : '-'],
      ['当前误判率', percent(100 * sizes.falsePositiveRate)],
    ],
  },
};

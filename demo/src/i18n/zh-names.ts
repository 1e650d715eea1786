// 场景 0“布谷鸟哈希表”的文字（简体中文）。
// Invariant: the same keys as en-names.ts.
import type { enNames } from './en-names';

const quoted = (name: string): string => `“${name}”`;
const place = (slot: number, perTable: number): string =>
  `表 ${slot < perTable ? 0 : 1} 的位置 ${slot % perTable}`;

export const zhNames: typeof enNames = {
  title: '过滤器之前：布谷鸟哈希表',
  lead: '两个哈希函数给每个名字两个位置，两张表里各一个。新名字占据自己的一个位置，原来在那里的就像被布谷鸟雏鸟拱出巢的蛋，搬到它的另一个位置。',
  number: '场景 0',
  box: '名字',
  insert: '放入',
  lookUp: '查询',
  next: '放入下一个示例名字',
  loop: '一直放到出现循环',
  clear: '重新开始',
  tables: '两张名字表',
  table: (number) => `表 ${number}`,
  slot: (slot, perTable, name, other) =>
    name === null
      ? `${place(slot, perTable)}，空`
      : `${place(slot, perTable)}：${name}，另一个位置是${place(other, perTable)}`,
  hand: '待放',
  told: (told, slots, places) => {
    const perTable = slots.length / 2;
    const both = places.map((slot) => place(slot, perTable)).join(' 和');
    switch (told.kind) {
      case 'start':
        return '输入一个名字并放入，或者放入下一个示例名字。';
      case 'places':
        return `${quoted(told.name)}有两个位置：${both}。`;
      case 'placed':
        return `${quoted(told.name)}放到${place(told.slot, perTable)}，那里是空的。完成。`;
      case 'thrown':
        return `${quoted(told.name)}占据${place(told.slot, perTable)}。${quoted(told.out)}被挤出去，必须去自己的另一个位置。`;
      case 'loop':
        return `搬了 ${told.moves} 次，谁也没找到空位：这些名字在绕圈。所以全部回滚。`;
      case 'rehash':
        return `换两个新的函数，把全部 ${told.names} 个名字重新放置。这叫重新哈希。`;
      case 'stuck':
        return '换了 64 次函数，始终放不下所有名字。请重新开始。';
      case 'known':
        return `${quoted(told.name)}已经在表里。`;
      case 'lookup':
        return slots.includes(told.name)
          ? `找到了${quoted(told.name)}。它只可能在${both}，所以看两个位置就够了。`
          : `没有${quoted(told.name)}：${both}都不是它。看两个位置就够了。`;
    }
  },
  back: '后退',
  forward: '前进',
  play: '播放',
  pause: '暂停',
  step: (at, of) => `${at} / ${of}`,
  fade: '忘掉名字',
  remember: '再显示名字',
  filterTitle: '从哈希表到过滤器',
  filter:
    '名字占内存。布谷鸟过滤器只为每个名字保留一个短短的指纹。可是被挤出去的已经没有名字，第二个位置就不能由名字算出。于是改由第一个位置和指纹算出：这就是后面场景里的异或。',
  noRehash: '重新哈希也需要名字。所以过滤器从不重新哈希：满了，就说满了。',
  toScene: '去场景 1：存的是指纹，不是名字',
  dials: '能装多满？',
  dialsLead: '把一张有 16,384 个位置的表装到第一个键被拒绝为止。函数越多，或者每个桶的槽位越多，出路就越多。',
  functions: '函数个数',
  slots: '每桶槽位数',
  plot: '第一次拒绝时的装载率',
  load: '装满时的装载率',
  lines: (functions) => `${functions} 个函数`,
  articles: '已发表的数字，2 个函数',
  result: (functions, slots, load) => `${functions} 个函数，每桶 ${slots} 个槽位：装到 ${load} 为止。`,
  article: (percent) => `已发表的数字是 ${percent}%。`,
  filling: '正在填充。',
};

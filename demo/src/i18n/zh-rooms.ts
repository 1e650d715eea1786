// 场景之外各页面的文字（简体中文）。
import { count, percent, short } from '../model/text';
import type { Words } from './en';
import type { enNames, enRooms } from './en-rooms';

/** 本库拒绝文件的原因，按错误的 code。 */
const WHYS: Readonly<Record<string, string>> = {
  'not-a-filter': '里面不是过滤器。',
  'unsupported-version': '它由另一个版本的库保存。',
  'cut-short': '文件不完整。',
  damaged: '内容与校验和不符，文件已损坏。',
  inconsistent: '其中的数值互相矛盾。',
  'too-large': '过滤器太大，无法在这里打开。',
  'wrong-key': '保存时用了密钥，这里没有。',
};

export const zhRooms: Pick<Words, keyof typeof enRooms> = {
  lab: {
    taken: (taken, stored, left) =>
      `插入了 ${count(taken)} 个键，存入 ${count(stored)} 个。${left > 0 ? `其余 ${count(left)} 行没有插入：一次最多 ${count(taken)} 行。` : ''}`,
    lead: '把一列键拖进或粘贴进输入框，每行一个，这些键会插入一张新表。下面还有一张大表，也可以打开你自己的过滤器。',
  },
  handles: {
    title: '三个滑块',
    rate: '误判率（计算值）',
    counted: (found, absent) => `误判率（实测：${count(absent)} 个从未插入的键中误判 ${count(found)} 个）`,
    between: (rate, least, most) => `${rate}%（${least}～${most}%）`,
    bits: '每个键的比特数',
    known: (buckets) =>
      `依据：计算值由本库算出，是所有这样的表的平均值；实测值是向这张表查询它没有的键时，误判所占的比例，括号内为 95% 置信区间；每个键的比特数是表的总比特数除以其中的键数。指纹 0 记作 1，这使计算值略高；${buckets === 1 ? '每个键' : `约每 ${count(buckets)} 个键中有 1 个`}的两个候选桶是同一个桶，这使计算值略低。单独一张小表可能偏高或偏低。`,
  },
  bulk: {
    title: '一张大表',
    slots: '槽位数',
    target: '填充到（%）',
    fill: '开始填充',
    filled: (percent) => `装载率 ${percent}。`,
    full: (percent) => `装载率到 ${percent} 时拒绝了一个键。`,
    legend: (rate) => `每个点是一个槽位，着色表示已占用。本库算出的此装载率下的误判率：${rate}。`,
    map: (percent) => `所有槽位，每个一个像素，装载率 ${percent}：彩色像素是已占用的槽位`,
  },
  be: {
    lead: '由你完成一次插入的每一步。两个比特相同得 0，不同得 1。',
    move: '轮到你',
    first: '第 1 步',
    level: '难度',
    levels: ['候选桶里有空槽位', '短的踢出链', '长的踢出链'],
    asks: {
      home: ({ key, fingerprint, primary, offset, sum }) =>
        `“${key}”的指纹是 ${fingerprint}，第一候选桶是桶 ${primary}，偏移量是 ${offset}。第二候选桶 = ${sum}，是哪个桶？`,
      place: ({ fingerprint }) =>
        `${fingerprint} 放到哪里？第一候选桶的第一个空槽位，没有就放第二候选桶的。两个都满了，就必须踢出一个。`,
      destination: ({ fingerprint, bucket, slot, kick, offset, sum }) =>
        `第 ${kick} 次踢出：过滤器选中桶 ${bucket} 槽位 ${slot} 的 ${fingerprint}。${fingerprint} 的偏移量是 ${offset}。它会搬到 ${sum}，是哪个桶？`,
      room: ({ otherBucket }) => `桶 ${otherBucket} 里有空槽位吗？`,
      land: ({ fingerprint, otherBucket }) => `把 ${fingerprint} 存入桶 ${otherBucket} 的第一个空槽位。`,
    },
    pressBucket: '也可以点表中的桶。',
    pressSlot: '点表中的一个槽位。',
    pressPlace: '点表中的一个空槽位，或点按钮。',
    byKeys: '也可以用方向键移过去再按 Enter。',
    kick: '都满了：踢出',
    yes: '有',
    no: '没有',
    right: '正确。',
    wrong: '不对：再看看表里的槽位。',
    hint: (yours) => `不是 ${yours}：请逐列计算。`,
    wrongBits: (sum) => `${sum}：请点那个桶。`,
    fixed: (sum) => `已替你走了这一步：${sum}。`,
    fix: '替我走这一步',
    done: (right, all) => `完成：${all} 步中有 ${right} 步一次走对。`,
    next: '换一个键',
  },
  teach: {
    lead: '用于讲课、实验和习题。这里的每个链接都固定了随机种子：同一个链接在每台机器上显示同样的内容。',
    courses: '学习路线',
    present: '开始演示',
    courseNames: ['十分钟的讲解', '二十分钟的讲解', '一节实验课'],
    notes: '讲稿：二十分钟里说什么',
    speaker: '讲者窗口（S）',
    question: (number: number) => `第 ${number} 题（共 2 题）`,
    seen: {
      slide: (press) => `大屏幕上是开头的图。下一次按键：“${press}”。`,
      last: '大屏幕上是最后一页，后面没有了。',
      dark: '大屏幕已变黑，按任意键恢复。',
      question: (press) => `大屏幕上是题目。下一次按键：“${press}”；End 键：答案。`,
      steps: (press) => `大屏幕上是过程。下一次按键：“${press}”；End 键：答案。`,
      answer: (press) => `大屏幕上是答案。下一次按键：“${press}”；End 键：下一站。`,
    },
    late: '已超时',
    restart: '重新计时',
    printNotes: '打印讲稿',
    minutes: (count) => `${count} 分钟`,
    until: (minute, of) => `到第 ${minute} 分钟，共 ${of} 分钟`,
    say: {
      start:
        '程序在读磁盘或访问服务器之前先问过滤器：“一定不存在”省下一趟，“可能存在”才要跑一趟。它不存名字，所以两个名字在它看来可能一样。',
      homes: '一个指纹有两个候选桶，用异或可以互相算出，就像同样的开关拨两次：搬动它不需要名字。',
      lookup: '无论表有多满，查询都只读两个桶，比较指纹。',
      kick: '两个候选桶都满了，就得有一个指纹搬走。先问大家它会搬到哪里，再演示。',
      fail: '表满了就如实报告，什么也不改变：接受过的键不会丢。',
      hunt: '误判的概率可以算出来：最多比较 2b 个指纹，每个碰巧匹配的概率约为 1/2ᶠ。',
      delete: '只删除你插入过的键，否则被删掉的是别人：就像开头的那个分身。',
      bits: '布隆过滤器的一个比特可能属于许多键，所以不能删除。误判率低时，布谷鸟过滤器用的比特更少，而且一次查询只读两处，不必每个哈希读一处。',
      end: '提问时就让这一页留在屏幕上，并输入大家说出的名字。',
    },
    embed: '把场景放进幻灯片',
    embedLead: '把 iframe 嵌入代码复制到网页或 reveal.js 幻灯片里。用单文件版本，离线也能用。',
    withQuestion: '题目放在表旁，而不是表下',
    code: '粘贴到你的网页',
    sheet: '习题单',
    sheetLead:
      '可打印的表和题目。答案由实际运行记录算出；展开后会一起打印。用两个种子，就能在学习前后各测一次。',
    mixed: '混合',
    seed: '种子',
    count: '题数',
    print: '打印',
    name: '姓名',
    date: '日期',
    sheetHead: (seed) => `布谷鸟过滤器，习题单 ${seed}。每行是一个桶，左边是桶号；指纹是十六进制。`,
    answers: '答案',
    answersOf: (seed) => `布谷鸟过滤器，习题单 ${seed} 的答案`,
    watch: '看过程',
  },
  file: {
    title: '你自己的过滤器',
    lead: '看看保存下来的过滤器里有什么：你的程序用 serialize() 保存的，或命令行工具用 --save 保存的。文件不会离开本设备。',
    drop: '把 .cuckoo 文件拖到这里，或点这里选择',
    note: '手边没有文件？可以用上面的表。保存的文件不保留桶内的顺序。',
    saveTable: '保存这张表',
    refused: (name, why) => `无法打开 ${name}：${why}`,
    why: (code, message) => (code === '' ? message : (WHYS[code] ?? `本库拒绝了它（${code}）。`)),
    tooLarge: (bytes, most) => `文件有 ${count(bytes)} 字节，本页最多接受 ${count(most)} 字节`,
    layers: '这是可扩展的过滤器：条目可能分布在几张表里，所以不画图。',
    notDrawn: (most) => `超过 ${count(most)} 个槽位的表不画图。`,
    key: '查询一个键',
    kind: '键的类型',
    kinds: { text: '文本', number: '整数' },
    copies: (copies) => `，${copies} 份`,
    told: (key, answer) => `${key}：${answer}`,
    noNumber: (key) => `${key} 不是 -2^63 到 2^64 - 1 之间的整数。`,
    figures: ({ reader, hasReserved, rate }) => [
      ['条目数', count(reader.size)],
      ['容量', count(reader.maxCapacity)],
      ['装载率', `${percent(100 * reader.loadFactor)}%`],
      ['桶', `${count(reader.bucketCount)} × ${reader.bucketSize} 个槽位`],
      ...(reader.layers > 1 ? ([['层数', String(reader.layers)]] as const) : []),
      [
        '指纹',
        `${reader.fingerprintBits} 比特${hasReserved ? ' + 供扩容的预留比特' : ''}${reader.semiSorted ? '，半排序' : ''}`,
      ],
      ['表', `${count(reader.byteLength)} 字节`],
      ['每个键的比特数', reader.size > 0 ? short(reader.bitsPerKey) : '-'],
      ['当前误判率', `${percent(100 * rate)}%`],
    ],
  },
  sheet: {
    kicks: (slots) =>
      `每次踢出把手中的指纹存入一个槽位，取出原来的指纹。依次是这些槽位（桶.槽位，从 0 开始编号）：${slots.join('、')}。同一个桶接连出现两次不是印错：一个指纹的两个候选桶可以是同一个桶。`,
    owners: '每个指纹下面写着它来自哪个键；过滤器本身并不保存键。',
  },
};

const quoted = (name: string): string => `“${name}”`;
const place = (slot: number, perTable: number): string =>
  `表 ${slot < perTable ? 0 : 1} 的位置 ${slot % perTable}`;

export const zhNames: typeof enNames = {
  title: '先看前身：布谷鸟哈希表',
  lead: '两个哈希函数为每个名字算出两个位置，每张表一个。新名字占据自己的一个位置；原来在那里的名字就像被布谷鸟雏鸟拱出巢的蛋，只好搬到自己的另一个位置。',
  box: '名字',
  insert: '插入',
  next: '插入下一个示例名字',
  loop: '一直插入到出现循环',
  skip: '跳到最后',
  clear: '重新开始',
  full: '放不下更多名字了，请重新开始。',
  tables: '两张名字表',
  table: (number) => `表 ${number}`,
  slot: (slot, perTable, name, other) =>
    name === null
      ? `${place(slot, perTable)}，空`
      : `${place(slot, perTable)}：${name}，另一个位置是${place(other, perTable)}`,
  hand: '待插入',
  told: (told, slots, places) => {
    const perTable = slots.length / 2;
    const both = places.map((slot) => place(slot, perTable)).join(' 和');
    switch (told.kind) {
      case 'start':
        return '输入一个名字并插入，或者插入下一个示例名字：它是特意选的，会把另一个名字踢出去。';
      case 'places':
        return `${quoted(told.name)}有两个位置：${both}。`;
      case 'placed':
        return `${quoted(told.name)}放到${place(told.slot, perTable)}，那里是空的。完成。`;
      case 'thrown':
        return `${quoted(told.name)}占据${place(told.slot, perTable)}。${quoted(told.out)}被踢出去，必须去自己的另一个位置。`;
      case 'loop':
        return `搬了 ${told.moves} 次，仍没找到空位置：这些名字在绕圈。所以全部回滚。`;
      case 'rehash':
        return `换两个新的函数，把全部 ${told.names} 个名字重新放置。这叫重新哈希。`;
      case 'stuck':
        return '换了 64 次函数，始终放不下所有名字。请重新开始。';
      case 'known':
        return `${quoted(told.name)}已经在表里。`;
    }
  },
  filterTitle: '从哈希表到过滤器',
  filter:
    '名字占内存。布谷鸟过滤器只为每个名字保留一个短短的指纹。可是被踢出去的已经没有名字，第二个位置就不能由名字算出。于是改由第一个位置和指纹算出：这就是后面场景里的异或。',
  noRehash:
    '而换一对哈希函数、把所有名字重新放置（重新哈希），也需要名字。所以过滤器从不重新哈希：装满后就报告已满。',
};

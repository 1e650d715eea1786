// 实验室、“你来当过滤器”和教师页的文字（简体中文）。
// Invariant: the same keys as en-rooms.ts.
import type { Words } from './en';
import type { enRooms } from './en-rooms';

const count = (value: number): string => value.toLocaleString('en');

export const zhRooms: Pick<Words, keyof typeof enRooms> = {
  lab: {
    lead: '所有控制都在这里。小表可以一步一步看，大表可以填充、测量和比较。',
    tabs: '实验室的各部分',
    parts: { lab: '单步与填充', compare: '比较', file: '你自己的过滤器' },
  },
  bulk: {
    title: '一张大表',
    slots: '槽位数',
    target: '填充到（%）',
    mix: '键的来源',
    mixes: ['各不相同', 'Zipf 分布，重复的也插入', 'Zipf 分布，只插入新键'],
    copies: (tried, refused) =>
      `Zipf：排名第 r 的键出现的概率与 1/r 成正比。${count(tried)} 个键中有 ${count(refused)} 个被拒绝，因为表里已有 2b 份。`,
    onlyNew: (tried, _, known, mistaken) =>
      `Zipf：排名第 r 的键出现的概率与 1/r 成正比。${count(tried)} 个键中有 ${count(known)} 个被认为已经存在，其中 ${count(mistaken)} 个其实是新键，被误认。`,
    fill: '开始填充',
    filled: (percent) => `装载率 ${percent}。可以继续，或换一张表。`,
    full: (percent) => `填充到 ${percent} 时拒绝了一个键。`,
    map: (percent) => `所有槽位，每个一个像素，装载率 ${percent}：深色像素是已占用的槽位`,
    magnifier: '放大查看，起始桶',
    empty: '-',
  },
  be: {
    lead: '由你完成一次插入的每一步。过滤器只告诉你它会踢出谁；每一步都与它的轨迹核对。',
    move: '轮到你',
    level: '难度',
    levels: ['候选桶里有空位', '短的踢出链', '长的踢出链'],
    asks: {
      home: ({ key, fingerprint, primary, offset, sum }) =>
        `“${key}”的指纹是 ${fingerprint}，候选桶 1 是桶 ${primary}，${fingerprint} 的哈希是 ${offset}。候选桶 2 是 ${sum}：哪个桶？`,
      place: ({ fingerprint }) =>
        `${fingerprint} 放到哪里？候选桶 1 的第一个空槽位，没有就候选桶 2 的。两个都满了，就必须踢出一个。`,
      destination: ({ fingerprint, bucket, slot, kick, offset, sum }) =>
        `第 ${kick} 次踢出：过滤器选中桶 ${bucket} 槽位 ${slot} 的 ${fingerprint}。${fingerprint} 的哈希是 ${offset}。它会搬到 ${sum}：哪个桶？`,
      room: ({ otherBucket }) => `桶 ${otherBucket} 里有空槽位吗？`,
      land: ({ fingerprint, otherBucket }) => `把 ${fingerprint} 放进桶 ${otherBucket} 的第一个空槽位。`,
    },
    pressBucket: '也可以点表中的桶。',
    dragToBucket: '也可以把指纹拖到它的桶，或点那个桶。',
    pressSlot: '也可以把待放指纹拖到槽位，或点那个槽位。',
    emptySlots: '一个空槽位',
    choose: '选择',
    kick: '都满了：踢出',
    yes: '有',
    no: '没有',
    right: '正确。',
    wrong: '过滤器在这里不是这样做的。再看看。',
    wrongBits: (yours, sum) => `你选的是 ${yours}，但 ${sum}。请点那个桶。`,
    fixed: (sum) => `已替你走了这一步：${sum}。`,
    fix: '替我走这一步',
    done: (right, all) => `完成：${all} 步中有 ${right} 步一次走对。`,
    next: '换一个键',
  },
  teach: {
    lead: '用于讲课、实验和习题。这里的一切都是带种子的链接：同一个链接在每台机器上显示同样的内容。',
    courses: '学习路线',
    courseNames: ['十分钟的讲解', '一节实验课', '写给工程师'],
    embed: '把场景放进幻灯片',
    embedLead: '把 iframe 嵌入代码复制到网页或 reveal.js 幻灯片里。用单文件版本，离线也能用。',
    language: '语言',
    colours: '配色',
    looks: { auto: '跟随系统', light: '浅色', dark: '深色' },
    withQuestion: '带题目',
    code: '粘贴到你的网页',
    preview: '预览',
    messages: '可以发送的消息；它会回复 { from, step, steps, caption }：',
    sheet: '习题单',
    sheetLead: '可打印的表和题目。答案由轨迹算出，默认折叠。',
    mixed: '混合',
    seed: '种子',
    count: '题数',
    print: '打印',
    name: '姓名',
    date: '日期',
    sheetSeed: (seed) => `习题单 ${seed}。每行是一个桶，左边是桶号；指纹是十六进制。`,
    answers: '答案',
    watch: '看过程',
  },
  quiz: {
    lead: (questions) =>
      `学习场景之前 ${questions} 题，之后再做 ${questions} 题同类的题，用别的表。做不做由你；答案只保存在本设备，每一半全部做完后才公布对错。`,
    forTeachers:
      '每个人的题目都一样，答案来自轨迹。让学生在场景之前做前半部分，之后做后半部分，然后收集文件。',
    open: '打开小测验',
    begin: { before: '开始：学习之前', after: '开始：学习之后' },
    half: { before: '之前', after: '之后' },
    next: '下一题',
    unknown: '不知道',
    none: '尚未作答。',
    right: '对',
    wrong: '错',
    outcome: '你的回答',
    sum: (half, right, all) => `${half}：共 ${all} 题，答对 ${right} 题。`,
    gain: (percent) => `提高：之前错的题中有 ${percent}% 现在做对了。`,
    save: '保存为 CSV',
  },
};

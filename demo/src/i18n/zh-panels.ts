// 操作的其他讲法、测量、以及讲解结尾所用的文字（简体中文）。
import { count, isolated, percent } from '../model/text';
import type { enPanels } from './en-panels';

export const zhPanels: typeof enPanels = {
  tools: (hasSettings) => (hasSettings ? '表的设置、链接与键盘' : '链接与键盘'),

  tour: {
    title: '逐个场景学习',
    lead: '与布隆过滤器不同，布谷鸟过滤器能删除键，查询只读两个桶。每个场景三到五分钟：预测、观看、比较。每个答案都来自正在运行的过滤器。',
    acts: ['思路', '动作', '会出什么错', '代价'],
  },

  api: {
    title: '用几行程序调用本包',
    add: '放不下时抛出 FilterFullError',
    remove: '只删除你插入过的键：别的键可能有相同的指纹',
    fresh: 'true：肯定是新的，已插入',
    save: '保存或发送',
    copy: '复制',
    copied: '已复制。',
    selected: '无法复制，已选中文字。',
  },

  take: {
    title: '用到你的项目里',
    lead: '本页的过滤器是一个 JavaScript 和 TypeScript 包：gzip 后 47 kB，含 WebAssembly，没有依赖，MIT 许可。可用于 Node、Bun、Deno、Workers 和浏览器。',
    figures: '什么时候用它：与 Set 和布隆过滤器比较',
    decide:
      '适合 10 万个以上的键，并且键经常增删、需要传输，或分布在多个进程中。键更少、又只在一个程序里用，用 Set 就够了。如果从不删除，又能容忍每 100 次查询错 3 次，布隆过滤器更省空间。过滤器满了就拒绝新键；设置 maxCapacity 后可自动扩容到该上限。',
    unpublished:
      '尚未发布到 npm：请在克隆下来的仓库里运行 npm run build 和 npm pack，再安装得到的文件。发布之后：',
    dedup: (rate) =>
      `去重时先查询再插入：addIfAbsent 一步完成两者。它若误答“可能存在”，一条新记录就会被丢弃：平均至多占新记录的 ${rate}。`,
    given: (rate) =>
      `条件：误判率 ${rate}；10 万到 100 万个长度为 13 个字符的字符串，刚从文件或网络读入。× 0.5 表示速度是本库的一半。`,
    columns: ['项目', '本库', 'Set', '纯 JavaScript 布隆过滤器'],
    bits: '每键比特数',
    calls: { has: '每秒查询（百万次）', add: '每秒插入（百万次）' },
    times: (least, most) => `× ${least}～${most}`,
    range: (least, most) => `${least}～${most}`,
    abilities: [
      ['可以删除', '是', '是', '否'],
      ['精确，能列出键', '否', '是', '否'],
    ],
    known:
      '依据：两种过滤器的比特数由本库和布隆过滤器的公式算出；其余来自 npm run bench -- readme（双核共享主机，每种键数各测九轮，取中间值）：Set 的比特数含字符串本身，布隆过滤器的速度取自 npm 上的 bloomfilter，它是纯 JavaScript。这里的桶经过排序，桶数可以是任意数；误判率高于约 2.4%（不排序时为 0.37%）时，布隆过滤器占的比特更少。',
    source: '源代码',
  },

  code: {
    title: (operation) => `${operation}：逐行查看`,
    lines: {
      locate: '把键打散成 64 个比特（哈希）：得到指纹和第一候选桶',
      alternate: '由第一候选桶和指纹得到第二候选桶',
      home: '任一候选桶有空槽位？存入，完成',
      copies: '两个候选桶都被这个指纹占满？拒绝：副本太多',
      kick: '循环：随机踢出一个，占用它的槽位',
      look: '逐桶循环：桶中指纹的另一个候选桶有空槽位吗？',
      fullAfterSearch: '踢出能到达的桶都没有空槽位？拒绝：已满',
      found: '有空槽位？找到踢出链：从末端开始移动，完成',
      move: '每次踢出：指纹搬到它的另一个候选桶',
      land: '被踢出的指纹的另一个候选桶有空槽位？存入，完成',
      full: '踢出次数用完仍无空槽位？全部回滚，拒绝：已满',
      read: '先读第一候选桶，再读第二候选桶，读到匹配为止',
      readBoth: '两个候选桶都读，各读到匹配为止',
      answer: '有匹配：可能存在。没有匹配：一定不存在',
      nothing: '没有匹配：什么也不删除',
      take: '清空匹配的槽位',
      reset: '清空所有槽位',
    },
    note: '点开一行，看这里实际运行的 C++ 代码。',
  },

  share: {
    title: '链接',
    copyLink: '复制指向这一步的链接',
    copied: '链接已复制。它会完全一致地重现同样的操作。',
  },

  graph: {
    title: '表的显示方式',
    table: '表',
    graph: '图',
    picture: (buckets, edges) => `布谷鸟图：${buckets} 个桶排成一圈，${edges} 个指纹各是一个指向所在桶的箭头`,
    parts: '连通分量',
    noParts: '还没有指纹。',
    part: (buckets) => `桶 ${buckets}：`,
    filled: (edges, room) => `${edges}\u00a0/\u00a0${room}`,
    loops: (loops, edges, buckets) =>
      `自环是两个候选桶相同的指纹：这里 ${edges} 个中有 ${loops} 个。平均每 ${buckets} 个键有 1 个；指纹这么少时会有偏差。`,
    note: '箭头是指纹，指向它所在的桶；实心节点是已满的桶；键的两个候选桶分别带实线环和虚线环；粗箭头因踢出而反转了方向。已满的连通分量再也放不下指纹，无论怎么踢出。',
  },

  path: {
    title: '踢出链',
    none: '还没有踢出。当一个键的两个候选桶都满时，这里会列出每一次踢出。',
    row: (number, victim, bucket, slot, to) => `${victim} 离开桶 ${bucket} 的槽位 ${slot}，前往桶\u00a0${to}`,
    rowSame: (victim, bucket, slot) => `${victim} 离开桶 ${bucket} 的槽位 ${slot}；它的两个候选桶都是这个桶`,
    undone: '（已回滚）',
    placed: (fingerprint, bucket, slot) => `${fingerprint} 落入桶 ${bucket} 的槽位 ${slot}`,
  },

  settings: {
    title: '表的设置',
    bucketCount: '桶数（m）',
    bucketSize: '每桶槽位数（b）',
    fingerprintBits: '指纹比特数（f）',
    maxKicks: '每次插入最多随机踢出（次）',
    samplePercent: '开始时填充（%）',
    seed: '示例键的种子',
    hashSeed: '哈希的种子',
    addressing: '另一个候选桶的算法',
    search: '怎样找空槽位',
    randomWalk: '随机踢出，与论文相同',
    breadthFirst: '先搜索，与本库相同',
    reflect: '反射，适用于任意 m',
    xor: '异或，与论文相同',
    range: (least, most) => `${least}～${count(most)}`,
    forXor: '；异或要求 2 的幂',
    rebuild: '新建一张表',
    reset: '回到最初的表',
    note: '新表不保留之前的操作。第一张表的种子是特意选的，好让踢出容易看清。',
    failed: '无法创建这样的表：异或要求桶数是 2 的幂。',
  },

  ending: {
    remember: [
      '只要不删除没插入过的键，“一定不存在”就是确定的；从未插入的键会以你选定的概率得到“可能存在”。',
      '一个指纹有两个候选桶，可以互相算出：桶满了，不知道原来的键也能腾出位置。',
      '删除从未插入的键，可能删掉指纹相同的别的键。',
    ],
    sentence: '每个名字只留几个比特，就足以断定“一定不存在”；前提是只删除自己插入过的。',
    now: '下一个是谁的名字？在表的上方输入。',
  },

  shortcuts: {
    title: '键盘',
    rows: [
      [['Enter'], '插入输入框里的键'],
      [['空格'], '播放或暂停'],
      [[',', '.'], '后退一步，前进一步'],
      [['Home', 'End'], '到开头，到结尾；演示时，End 直接看答案，再按则到下一个场景'],
      [['方向键'], '在槽位之间移动'],
      [['A'], '到指纹的另一个候选桶'],
      [['F'], '让表铺满窗口，供课堂演示'],
      [['N', 'PageDown', '→'], '演示时：下一步、播放中跳到结果、第二题、下一个场景'],
      [['PageUp', '←'], '演示时：上一步、回到问题、上一个答案'],
      [['B'], '演示时：屏幕变黑，再按任意键恢复；学习路线中“.”键也一样'],
      [['S'], '演示时：打开讲者自己的窗口，看要说什么；按键在那里同样有效'],
      [['?'], '显示本列表'],
    ],
  },

  race: {
    title: '四张表同时填充',
    slots: '每张表的槽位数',
    kicks: '每次插入最多踢出（次）',
    start: '开始比赛',
    lane: (slots) => `每桶 ${slots} 个槽位`,
    map: (slots, load) => `每桶 ${slots} 个槽位的表，装载率 ${load}：彩色像素是已占用的槽位`,
    paper: (percent) => `论文给出的装载率是 ${percent}%。`,
    loadOf: (slots, percent) => `b\u00a0=\u00a0${slots} 为 ${percent}`,
    oneSlot: (kicked, searched) =>
      `每桶只有一个槽位时，搜索没有选择余地。两次计算第二候选桶的方法不同，所以装载率 ${kicked} 和 ${searched} 的差别只是偶然。`,
    summary: (loads) => `首次拒绝时的装载率：${loads}。`,
    kicksPlot: '每次插入的踢出次数与装载率',
    searching: '现在用本库的搜索填充同样的表……',
    searched: (percent) => `本库的搜索：${percent}。`,
    note: '依据：就在你的浏览器里测量；不用浏览器，npm run bench -- load 也能重现。指纹 16 比特。先是论文的随机踢出，再是本库的搜索。论文的装载率是设计时的参考值：单次运行与之相差几个百分点。',
  },

  space: {
    title: '每个键的比特数与误判率',
    rate: '误判率',
    bits: '每个键的比特数',
    curves: {
      cuckoo: '布谷鸟，装载率 95%',
      semiSorted: '布谷鸟，半排序',
      bloom: '布隆过滤器',
      limit: '理论下限',
    },
    rateIs: (rate) => `误判率 ${rate} 时`,
    bitsOf: (bits) => `${bits} 比特`,
    planned: '本库的规划',
    plan: ({ capacity, bucketSize, fingerprintBits, semiSorted, loadFactor }) =>
      `本库为 ${count(capacity)} 个键规划的表：每桶 ${bucketSize} 个槽位，指纹${Number.isInteger(fingerprintBits) ? '' : '平均'} ${fingerprintBits} 比特${semiSorted ? '，半排序' : ''}，装载率 ${percent(100 * loadFactor)}%。它选一个机器字就能读完的桶，除非更宽的桶能省下 5% 的比特；所以误判率更低时，比特数有时反而更少。`,
    note: '依据：一次查询最多比较 2b 个 f 比特的指纹，每个偶然相同的概率是 1/2ᶠ。所以误判率 ε 需要 f\u00a0=\u00a0log₂(1/\u2060ε)\u00a0+\u00a0log₂(2b) 比特；b = 4 时就是 log₂(1/\u2060ε)\u00a0+\u00a03。表填到 95% 时，每个键占 (log₂(1/\u2060ε)\u00a0+\u00a03)\u00a0/\u00a00.95 比特；半排序的表每个槽位省一个比特，占 (log₂(1/\u2060ε)\u00a0+\u00a02)\u00a0/\u00a00.95。布隆过滤器占 log₂(1/\u2060ε)\u00a0/\u00a0ln\u00a02。公式出自论文第 5 节；本库的参数由 plan() 给出。',
    nibblesTitle: '排序省下一个比特',
    nibbles:
      '一个桶里四个指纹的顺序没有意义，所以按最低四个比特排序存放：9、3、c、3 和 3、c、9、3 都存成 3、3、9、c。65,536 种四元组里只有 3,876 种是有序的，用十二个比特就能说明是哪一种，而不必用十六个。省下的四个比特每个指纹各得一个，误判率减半。',
  },
  bloom: {
    title: '布隆与布谷鸟：并排比较',
    lead: (keys, bits, probes) =>
      `两者都用 ${bits} 比特保存同样的 ${keys} 个键。布隆过滤器为每个键将 ${probes} 个比特置为 1。`,
    key: '在两者中查询一个键',
    ask: '查询',
    askPresent: '查一个已插入的键',
    bloom: '布隆过滤器',
    cuckoo: '布谷鸟过滤器',
    bloomBits: (set, all) => `布隆过滤器：共 ${all} 个比特，其中 ${set} 个为 1`,
    cuckooSlots: (full, all) => `布谷鸟过滤器：${all} 个槽位中占用 ${full} 个`,
    bitReads: (count) => (count === 1 ? '读了 1 个比特。' : `读了 ${count} 个比特，散布在内存各处。`),
    bucketReads: (count, buckets) => `读了 ${count} 个槽位，在${buckets === 1 ? '一' : '两'}个桶里。`,
    wrong: (key) => `“${isolated(key)}”从未插入：这是误判。`,
    known: (probes, load, bits, rate) =>
      `依据：布谷鸟过滤器的误判率由本库算出；布隆过滤器的误判率是为 1 的比特所占比例的 ${probes} 次方。实测时向两者查询同样的从未插入的键，括号内为 95% 置信区间。这里布隆过滤器误判少得多，是因为布谷鸟的表装载率只有 ${load}，空槽位也占比特：按上面曲线的公式，装载率 95% 时，每个键 ${bits} 比特的误判率是 ${rate}。误判率低到多少时布隆过滤器反而更费比特，见上面的曲线。`,
    noDelete: '它不能删除：同一个比特可能属于许多键。',
    canDelete: '它可以删除：每个指纹有自己的槽位。',
  },
};

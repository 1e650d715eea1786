// 各场景的文字（简体中文）。
// Invariant: as en-scenes.ts: every number and name comes from the trace; nothing here states an answer.
import type { enScenes } from './en-scenes';
import { zhBetter } from './zh-better';

const many = (n: unknown): string => Number(n).toLocaleString('en');

export const zhScenes: typeof enScenes = {
  print: {
    ask: [
      ({ letters }) => `插入一个长 ${letters} 个字符的键，它在表中占多少比特？`,
      ({ key, other }) => `“${key}”和“${other}”只差一个字符。它们的 64 比特哈希有多少个比特不同？`,
    ],
    option: (option, { letters }) =>
      ({
        '0': '0：只计数',
        '64': '64：整个哈希',
        [String(8 * Number(letters))]: `${8 * Number(letters)}：全部字符`,
      })[option] ?? `${option}：指纹`,
    found: [
      ({ answer }) => `它占一个槽位：${answer} 比特。键本身不在表的任何地方。`,
      ({ answer }) => `64 个比特中有 ${answer} 个不同。`,
    ],
    why: [
      '槽位里只有指纹，所以长键和短键的代价一样。过滤器省内存，正是省在这里。',
      '好的哈希在键改变一个比特时，大约有一半的比特会改变。所以相似的键得到毫不相干的指纹和候选桶。',
    ],
    change: '输入你自己的键，再改其中一个字符，比较两行比特。',
  },
  homes: {
    ask: [
      ({ fingerprint, primary, offset, count, sum }) =>
        `指纹 ${fingerprint} 的候选桶 1 是桶 ${primary}（共 ${count} 个桶）。${fingerprint} 的哈希是 ${offset}。${primary} XOR ${offset}（按比特写：${sum}）是哪个桶？`,
      ({ fingerprint, primary, offset, count, sum }) =>
        `现在有 ${count} 个桶，多了一个比特。指纹 ${fingerprint} 的候选桶 1 是桶 ${primary}，${fingerprint} 的哈希是 ${offset}。${primary} XOR ${offset}（按比特写：${sum}）是哪个桶？`,
    ],
    option: (option) => option,
    found: [
      ({ answer }) => `另一个候选桶是桶 ${answer}。再与同一个数异或一次，就回到原处。`,
      ({ answer }) => `另一个候选桶是桶 ${answer}。从那里再异或一次，就回到原处。`,
    ],
    why: [
      '与同一个数异或两次等于没变，所以两个候选桶互相指向对方。过滤器不知道指纹是谁的，也能搬动它。',
      '每一列比特各算各的：哈希是 1 的那个比特翻转，是 0 的那个不变。所以只要桶数是 2 的幂，结果总是其中一个桶。',
    ],
    change: '翻转指纹和候选桶 1 的比特，改变桶数。两个候选桶什么时候重合？',
  },
  lookup: {
    ask: [
      ({ key }) => `“${key}”不在过滤器里。查询读多少个槽位才会这样回答？`,
      ({ key }) => `“${key}”在过滤器里，在它的第二个候选桶。读多少个槽位才找到它？`,
    ],
    option: (option) => option,
    found: [
      ({ answer, result }) =>
        `读了 ${answer} 个槽位，回答是“${result === 'true' ? '可能存在' : '一定不存在'}”。`,
      ({ answer, result }) =>
        `读了 ${answer} 个槽位，回答是“${result === 'true' ? '可能存在' : '一定不存在'}”。`,
    ],
    why: [
      '无论表有多满，查询最多读两个桶。两个桶都没有这个指纹，键就一定不在。',
      '第一个候选桶读到底，第二个读到匹配为止。匹配表示“可能存在”：也许是别的键留下了同样的指纹。',
    ],
    change: '插入你自己的键并查询。再查询一个从未插入过的键。',
  },
  kick: {
    ask: [
      ({ key, fingerprint, bucket, offset, sum }) =>
        `插入“${key}”，把 ${fingerprint} 踢出桶 ${bucket}。${fingerprint} 的哈希是 ${offset}。它会搬到哪个桶？按比特写：${sum}。`,
      ({ key, fingerprint, bucket }) =>
        `插入“${key}”，把 ${fingerprint} 踢出桶 ${bucket}。踢出链会在 ${fingerprint} 的另一个候选桶结束吗？`,
    ],
    option: (option) => ({ yes: '会，那里有空位', no: '不会，那里也满了' })[option] ?? option,
    found: [
      ({ answer, kicks }) => `它去桶 ${answer}。整条踢出链有 ${kicks} 次踢出。`,
      ({ answer, kicks }) =>
        answer === 'yes' ? `会：${kicks} 次踢出后结束。` : `不会：踢出链继续，一共 ${kicks} 次踢出。`,
    ],
    why: [
      '被踢出的指纹只有一个去处：它的另一个候选桶，也就是原来的桶号与指纹的哈希异或。计算时用不到键。',
      '另一个候选桶有空槽位，踢出链就结束。没有的话，那个桶里的一个指纹又要离开，随机抽取。场景 13 介绍先看一步怎样缩短踢出链。',
    ],
    change: '多按几次“演示一次踢出”，直到链长超过三。再一步一步后退、前进，看清每次踢出。',
  },
  graph: {
    ask: [
      ({ key, primary, alternate }) => `“${key}”的候选桶是桶 ${primary} 和桶 ${alternate}。它能插入成功吗？`,
      ({ key, primary, alternate }) =>
        `现在每个桶有两个槽位。“${key}”连接桶 ${primary} 和桶 ${alternate}。它能插入成功吗？`,
    ],
    option: (option) => ({ yes: '能，放得下', no: '不能，会被拒绝' })[option] ?? option,
    found: [
      ({ answer, kicks }) =>
        answer === 'yes' ? `放得下，踢出 ${kicks} 次。` : `踢出 ${kicks} 次后被拒绝，全部回滚。`,
      ({ answer, kicks }) =>
        answer === 'yes' ? `放得下，踢出 ${kicks} 次。` : `踢出 ${kicks} 次后被拒绝，全部回滚。`,
    ],
    why: [
      '数一数一个连通分量：每桶一个槽位时，有几个桶就能放几个指纹。边比桶少，就有一条踢出链通向空位；一样多，再来一条边就没有地方可指。',
      '踢出链是图中的一条路，每次踢出把一个箭头掉头。它只能走到满桶里的指纹的另一个候选桶。如果那些桶都满了，别处的空位帮不上忙。',
    ],
    change: '一直插入，直到有键被拒绝。然后找出那个已满的连通分量。',
  },
  fail: {
    ask: [
      ({ key, kicks }) =>
        `插入“${key}”，${kicks} 次踢出都没找到空位。如果过滤器就此停下并丢掉手中的指纹，丢的是谁的？`,
      ({ key, count }) => `这个过滤器也拒绝“${key}”。它之前接受了 ${count} 个键。之后还能找到其中几个？`,
    ],
    option: (option) => ({ new: '新键的', old: '以前接受的某个键的', none: '谁的都没丢' })[option] ?? option,
    found: [
      ({ answer, lost }) =>
        answer === 'old' ? `是“${lost}”的，过滤器早就接受了它。` : `是新键“${lost}”自己的。`,
      ({ answer, changed, undone }) =>
        `全部 ${answer} 个。回滚了 ${undone} 次踢出，有 ${changed} 个槽位与之前不同。`,
    ],
    why: [
      '最后在手中的不一定是最先进来的。丢掉它的过滤器，就忘记了一个答应保存的键。本库记住路径并全部回滚，所以表与插入前逐字节相同。',
      '被拒绝的插入什么都不能改变：这样，“已满”只是坏消息，不会让其他键的答案出错。',
    ],
    change: '先只允许 4 次踢出，再允许 500 次。表能装得更多吗？链有多长？',
  },
  hunt: {
    ask: [
      ({ absent, bits, slots }) =>
        `一次查询最多比较 ${slots} 个 ${bits} 比特的指纹。${many(absent)} 个不存在的键中，这张表会对多少个说“可能存在”？`,
      ({ absent, bits, longer, before }) =>
        `指纹 ${longer} 比特时，${many(absent)} 个不存在的键中有 ${many(before)} 个得到“可能存在”。少一个比特，用 ${bits} 比特，会有多少个？`,
    ],
    option: (option) => option,
    found: [
      ({ answer, absent, key, owner }) =>
        `${many(absent)} 个中有 ${many(answer)} 个。第一个是“${key}”；页面记录显示，那个指纹是“${owner}”留下的。`,
      ({ answer, absent, key, owner }) =>
        `${many(absent)} 个中有 ${many(answer)} 个。第一个是“${key}”；页面记录显示，那个指纹是“${owner}”留下的。`,
    ],
    why: [
      '最多 2b 个指纹，每个碰巧匹配的概率约为 1/2^f。再乘以表的装载率，就是误判率（假阳性率）。',
      '少一个比特，误判率翻倍；多一个比特，误判率减半。',
    ],
    change: '在下面用多达一百万个不存在的键来测量，看置信区间如何收拢到精确曲线上。',
  },
  delete: {
    ask: [
      ({ key }) => `“${key}”从未插入，查询却说“可能存在”。照样删除它。之后哪个键找不到了？`,
      ({ key }) => `查询“${key}”的回答是“一定不存在”。删除它。之后哪个键找不到了？`,
    ],
    option: (option) => (option === 'nobody' ? '没有：都还找得到' : option),
    found: [
      ({ answer, owner }) =>
        answer === 'nobody'
          ? '所有键都还找得到。'
          : `“${owner}”：它的指纹被取走了。对一个你插入过的键，过滤器现在回答“一定不存在”：这是假阴性（漏判）。`,
      ({ answer, owner }) =>
        answer === 'nobody' ? '没有：没有可移除的东西。' : `“${owner}”：它的指纹被取走了。`,
    ],
    why: [
      '规则：只删除你插入过的键。过滤器说“可能存在”时并不知道指纹是谁的，所以拦不住你误删别人的指纹。',
      '出事的概率就是误判率：只有查询会误判的键，删除它才会造成伤害。',
    ],
    change: '改用 4 比特指纹，随意删除一些没有插入过的键。多久会丢掉一个键？',
  },
  copies: {
    ask: [
      ({ key, slots, tries }) =>
        `“${key}”插入 ${tries} 次；每个桶有 ${slots} 个槽位。插入到第几份时过滤器拒绝？`,
      ({ key, slots }) =>
        `“${key}”的两个候选桶是同一个桶，有 ${slots} 个槽位。现在插入到第几份时过滤器拒绝？`,
    ],
    option: (option) => option,
    found: [
      ({ answer, other, result }) =>
        `插入第 ${answer} 份时被拒绝：副本太多。而之后插入的“${other}”${result === 'added' ? '存入了：过滤器没有关闭' : '被拒绝'}。`,
      ({ answer, other, result }) =>
        `插入第 ${answer} 份时被拒绝。之后插入的“${other}”${result === 'added' ? '存入了' : '被拒绝'}。`,
    ],
    why: [
      '两个候选桶各有 b 个槽位，容纳 2b 份。过滤器立刻说“副本太多”，不踢出任何指纹。只要一个键还有别的候选桶，就仍然可以存入。',
      '每 m 个键中约有一个，两个候选桶是同一个桶；那时只放得下 b 份。',
    ],
    change: '每桶 2 个槽位，反复插入同一个键。然后删除一份，再查询。',
  },
  race: {
    ask: [
      () => '每张表拒绝第一个键时，装了百分之几？',
      () => '如果完全不踢出，只用两个候选桶呢？每桶四个槽位。',
    ],
    option: (option) => option,
    found: [({ answer }) => `这一次：${answer}%。`, ({ answer }) => `这一次：${answer}%。`],
    why: [
      '桶的槽位越多，满桶的出路就越多。论文按 50、84、95 和 98% 设计；单次运行相差几个百分点，大多略高。但查询要比较 2b 个指纹，桶越大误判越多：4 是常用的折中。',
      '不踢出时，两个候选桶都满的键立刻被拒绝，即使表里还有很多空槽位。让表几乎装满的是踢出。',
    ],
    change: '分别用 16,384 和 131,072 个槽位比赛：小表的结果分散，大表的结果接近。',
  },
  length: {
    ask: [
      () => '每桶四个槽位，装载率 95%。对不存在的键误判不超过 0.1%，指纹最短要多少比特？',
      () => '2 比特的指纹，每桶 4 个槽位，32,768 个桶。表拒绝第一个键时，装了百分之几？',
    ],
    option: (option) => option,
    found: [({ answer }) => `${answer} 比特。`, ({ answer }) => `${answer}%。`],
    why: [
      '要比较 2b 个槽位，每个匹配的概率约为 1/2^f，所以 f 约为 log2(2b / 误判率)。曲线是精确值，已考虑指纹 0 会改记为 1。',
      '短指纹的哈希种类少，第二个候选桶的选择也少：踢出在原地打转。对这张表，4 比特就能正常填满；表越大，需要的比特越多：最短长度随桶数的对数增长（论文第 4 节）。',
    ],
    change: '用 2 到 16 比特的指纹填充表，看短指纹在哪里填不下去。',
  },
  space: {
    ask: [
      () => '误判率低于百分之几时，普通布谷鸟过滤器（装载率 95%）比布隆过滤器更省？',
      () => '半排序的每个键省一个比特：低于百分之几时更省？',
    ],
    option: (option) => option,
    found: [
      ({ answer }) => `两条曲线在 ${answer}% 相交。`,
      ({ answer }) => `按论文的公式（装载率 95%），两条曲线在 ${answer}% 相交。论文正文取整，写作“低于 3%”。`,
    ],
    why: [
      '布隆过滤器每个键需要 1.44 log2(1/e) 比特，布谷鸟过滤器需要 (log2(1/e) + 3) / 0.95 比特。误判率低时，系数小的一方占优；误判率高时，多出的 3 比特就不划算。',
      '桶里四个指纹的顺序没有意义。排序后，四个低 4 比特组只有 3,876 种形式，而不是 65,536 种：用 12 比特代替 16 比特。',
    ],
    change: '移动误判率，读出比特数。再比较一次查询要读的内存：2 个桶，还是散布在内存各处的 k 个比特。',
  },
  better: zhBetter,
};

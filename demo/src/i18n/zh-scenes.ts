// 各场景的文字（简体中文）。
// Invariant: as en-scenes.ts: every number and name comes from the trace; nothing here states an answer.
import { count } from '../model/text';
import type { Facts } from '../model/scenes/task';
import type { enScenes } from './en-scenes';

/** The same words for both questions. */
const twice = <Text>(text: Text): Text[] => [text, text];
const homes = ({ fingerprint, primary, alternate }: Facts): string =>
  primary === alternate
    ? `它的指纹是 ${fingerprint}，两个候选桶都是桶 ${primary}。`
    : `它的指纹是 ${fingerprint}，第一候选桶是桶 ${primary}，第二候选桶是桶 ${alternate}。`;
/** 在指纹短的表里。 */
const printOf = ({ fingerprint, primary, alternate, bits }: Facts): string =>
  `它的指纹 ${fingerprint} 是 ${bits} 比特，${primary === alternate ? `两个候选桶都是桶 ${primary}` : `候选桶是桶 ${primary} 和桶 ${alternate}`}。`;
const XOR = '比特相同得 0，不同得 1';
const ROOM = '没有一次踢出通向有空槽位的桶，本库的搜索也找不到。';
const ORDER = '查询会读两个候选桶，各从槽位 0 读到匹配为止，空槽位也算。';

export const zhScenes: typeof enScenes = {
  homes: {
    ask: [
      ({ primary, offset, count, sum }) =>
        `这个指纹的第一候选桶是桶 ${primary}（共 ${count} 个桶），偏移量是 ${offset}。第二候选桶 = 第一候选桶异或（XOR）偏移量，即 ${primary} 异或 ${offset}，写成二进制是 ${sum}。${XOR}。第二候选桶是哪个？`,
      ({ primary, offset, count, sum }) =>
        `现在有 ${count} 个桶，多了一个比特。第一候选桶是桶 ${primary}，指纹的偏移量是 ${offset}。第二候选桶 = 第一候选桶异或偏移量，写成二进制是 ${sum}。${XOR}。第二候选桶是哪个？`,
    ],
    option: (option) => option,
    found: [
      ({ fingerprint, primary, offset, answer }) =>
        `${primary} 异或 ${offset} 得 ${answer}，这就是 ${fingerprint} 的另一个候选桶。再与同一个数异或一次，就回到原处。`,
      ({ fingerprint, primary, offset, answer }) =>
        `${primary} 异或 ${offset} 得 ${answer}，这就是 ${fingerprint} 的另一个候选桶。从那里再异或一次，就回到原处。`,
    ],
    why: [
      '偏移量只由指纹算出（论文称之为哈希）。与同一个数异或两次等于没变，所以两个候选桶互相指向对方。过滤器不知道指纹是谁的，也能搬动它。',
      '每一列比特各算各的：偏移量中为 1 的比特翻转，为 0 的比特不变。所以只要桶数是 2 的幂，结果总是其中一个桶。',
    ],
    change: '翻转指纹和第一候选桶的比特，改变桶数。两个候选桶什么时候重合？',
  },
  lookup: {
    ask: [
      ({ key, ...at }) => `“${key}”不在过滤器里。${homes(at)}${ORDER}这里一共读多少个槽位？`,
      ({ key, ...at }) => `“${key}”在过滤器里。${homes(at)}${ORDER}这里一共读多少个槽位？`,
    ],
    option: (option) => option,
    found: twice(
      ({ key, answer, result }) =>
        `查询“${key}”：读了 ${answer} 个槽位，回答是“${result === 'true' ? '可能存在' : '一定不存在'}”。`,
    ),
    why: [
      '无论表有多满，查询最多读两个桶。两个桶都没有这个指纹，键就一定不存在。',
      '两个候选桶总是都要读，各读到匹配为止。匹配表示“可能存在”：也许是别的键留下了同样的指纹。',
    ],
    change: '插入你自己的键并查询。再查询一个从未插入过的键。',
  },
  kick: {
    ask: [
      ({ key, fingerprint, bucket, offset, sum }) =>
        `插入“${key}”，把 ${fingerprint} 踢出桶 ${bucket}。${fingerprint} 的另一个候选桶 = 桶号 ${bucket} 异或（XOR）它的偏移量 ${offset}：${sum}，${XOR}。会搬到哪个桶？`,
      ({ key, fingerprint, bucket, offset, sum }) =>
        `插入“${key}”，把 ${fingerprint} 踢出桶 ${bucket}。${fingerprint} 的偏移量是 ${offset}，所以它搬到 ${sum}。踢出链会在那里结束吗？`,
    ],
    option: (option) => ({ yes: '会，那里有空槽位', no: '不会，那里也满了' })[option] ?? option,
    found: [
      ({ key, fingerprint, bucket, offset, answer, kicks, guess, needed }) =>
        `“${key}”踢出 ${fingerprint}，它搬到桶 ${answer}。${needed === undefined ? '' : `偏移量是 ${needed} 才会从桶 ${bucket} 搬到桶 ${guess}，而它的偏移量是 ${offset}。`}整条踢出链有 ${kicks} 次踢出。`,
      ({ key, answer, kicks, to, slots }) =>
        answer === 'yes'
          ? `会：桶 ${to} 有空槽位，所以插入“${key}”的踢出链在 ${kicks} 次踢出后结束。`
          : `不会：桶 ${to} 的 ${slots} 个槽位都满了，所以插入“${key}”的踢出链继续，一共 ${kicks} 次踢出。`,
    ],
    why: [
      '被踢出的指纹只有一个去处：它的另一个候选桶，也就是原桶号与它的偏移量的异或结果。计算时用不到键。',
      '另一个候选桶有空槽位，踢出链就结束。没有的话，就从那个桶里随机抽一个指纹，让它也离开。',
    ],
    change: '多按几次“演示一次踢出”，直到链长超过三。再一步一步后退、前进，看清每次踢出。',
  },
  fail: {
    ask: [
      ({ key, kicks }) =>
        `插入“${key}”，${kicks} 次踢出都没找到空槽位。如果过滤器就此停下，丢掉手中的指纹，丢的会是谁的指纹？`,
      ({ key, count }) => `这个过滤器也拒绝“${key}”。它之前接受了 ${count} 个键。之后还能找到其中几个？`,
    ],
    option: (option) => ({ new: '新键的', old: '早先某个键的', none: '谁的都没丢' })[option] ?? option,
    found: [
      ({ key, answer, lost }) =>
        answer === 'old'
          ? `是“${lost}”的，过滤器早在“${key}”之前就接受了它。本库什么也不丢：所有踢出都已回滚，“${lost}”还在原处。${ROOM}`
          : `是新键“${lost}”自己的。本库什么也不丢：所有踢出都已回滚。${ROOM}`,
      ({ key, answer, changed, undone }) =>
        `“${key}”被拒绝，原来的 ${answer} 个全都找得到。回滚了 ${undone} 次踢出，${changed === 0 ? '没有一个' : `有 ${changed} 个`}槽位与之前不同。`,
    ],
    why: [
      '最后留在手中的，不一定是新键的指纹。如果丢掉它，过滤器就弄丢了一个已经接受的键。本库记住踢出链并全部回滚，所以表与插入前逐字节相同。',
      '插入被拒绝时，表必须保持原样：这样，报“已满”并不影响其他键的答案。',
    ],
    change:
      '把表画成图，找出怎么踢都出不去的那个已满的连通分量。或者反复插入同一个键：每桶 b 个槽位时，第 2b\u00a0+\u00a01 份不经踢出就被拒绝。',
  },
  hunt: {
    ask: [
      ({ absent, bits, slots }) =>
        `一次查询最多比较 ${slots} 个 ${bits} 比特的指纹。${count(absent)} 个从未插入的键中，这张表会对多少个说“可能存在”？`,
      ({ absent, bits, longer, before }) =>
        `指纹 ${longer} 比特时，${count(absent)} 个从未插入的键中有 ${count(before)} 个得到“可能存在”。少一个比特，用 ${bits} 比特，会有多少个？`,
    ],
    option: (option) => option,
    found: twice(
      ({ answer, absent, key, owner }) =>
        `${count(absent)} 个从未插入的键中，${count(answer)} 个被判为“可能存在”。第一个是“${key}”；页面记录显示，那个指纹是“${owner}”留下的。依据：刚才在这张表里逐个查询的结果。`,
    ),
    why: [
      ({ bits, slots, values, load, rate }) =>
        `一次查询最多比较 ${slots} 个 ${bits} 比特的指纹，每个碰巧匹配的概率是 1/${values}。再乘以表的装载率：${slots} ÷ ${values} × ${load}% = ${rate}%。有些键的两个候选桶是同一个，所以实际略低。`,
      () => '少一个比特，误判率约翻倍；多一个比特，误判率约减半。',
    ],
    change: '在“表的设置”里把指纹改成 4 个比特，再查询你从未插入的键。多久会遇到一次误判？',
  },
  delete: {
    ask: [
      ({ key, ...at }) =>
        `“${key}”从未插入，查询却说“可能存在”。${printOf(at)}现在照样删除它。之后哪个键找不到了？`,
      ({ key, ...at }) => `“${key}”从未插入。${printOf(at)}现在照样删除它。之后哪个键找不到了？`,
    ],
    option: (option) => (option === 'nobody' ? '没有，都还找得到' : option),
    found: [
      ({ key, answer, owner }) =>
        answer === 'nobody'
          ? `删除了“${key}”，所有键都还找得到。`
          : `删除“${key}”，取走的是“${owner}”的指纹。明明插入过的键，现在却被判为“一定不存在”：这是漏判（假阴性）。`,
      ({ key, answer, owner }) =>
        answer === 'nobody'
          ? `没有：过滤器里没有“${key}”的指纹，什么也没删。`
          : `删除“${key}”，取走的是“${owner}”的指纹。`,
    ],
    why: [
      '规则：只删除你插入过的键。过滤器说“可能存在”时并不知道指纹是谁的，所以拦不住你误删别人的指纹。',
      '出事的概率就是误判率：只有查询会误判的键，删除它才会造成伤害。',
    ],
    change: '改用 4 比特指纹，随意删除一些没有插入过的键。多久会丢掉一个键？',
  },
  race: {
    ask: [
      () => '首次拒绝时，每张表的装载率是百分之几？',
      () => '如果完全不踢出，只用两个候选桶，每桶 4 个槽位的表在首次拒绝时装载率是百分之几？',
    ],
    option: (option) => `${option}%`,
    found: [
      ({ answer }) => `这一次，每桶 1、2、4、8 个槽位的表，首次拒绝时的装载率依次是 ${answer}。`,
      ({ answer }) => `这一次，完全不踢出的表，首次拒绝时的装载率是 ${answer}%。`,
    ],
    why: [
      '桶的槽位越多，桶满时可踢的选择就越多。论文给出的装载率是 50%、84%、95% 和 98%；单次运行相差几个百分点，大多略高。但查询要比较 2b 个指纹，桶越大误判越多：4 是常用的折中。',
      '不踢出时，两个候选桶都满的键立刻被拒绝，即使表里还有很多空槽位。正是踢出让表几乎装满。',
    ],
    change: '允许踢出，分别用 16,384 和 131,072 个槽位各试一次：小表的结果分散，大表的结果接近。',
  },
  bits: {
    ask: [
      () =>
        '每插入一个键，布隆过滤器就把一长排比特中的若干个设为 1。误判率低于百分之几时，布谷鸟过滤器（装载率 95%）每个键用的比特更少？',
      () =>
        '把每个桶里的指纹排好序（“半排序”），布谷鸟过滤器每个键省一个比特。现在误判率低于百分之几时，它用的比特比布隆过滤器少？',
    ],
    option: (option) => `${option}%`,
    found: [
      ({ answer }) => `布隆过滤器与布谷鸟过滤器的曲线在 ${answer}% 相交。`,
      ({ answer }) => `布隆过滤器与半排序布谷鸟过滤器的曲线在 ${answer}% 相交。论文正文取整，写作“低于 3%”。`,
    ],
    why: [
      '布隆过滤器每个键需要 1.443 log₂(1 / 误判率) 比特，布谷鸟过滤器需要 (log₂(1 / 误判率) + 3) / 0.95 比特。误判率低时，系数小的一方占优；误判率高时，多出的 3 比特就不划算。',
      '少一个比特，公式变成 (log₂(1 / 误判率) + 2) / 0.95：曲线更低，与布隆过滤器的曲线在更高的误判率处相交。',
    ],
    change: '拖动误判率滑块，看每个键要多少比特。误判率在什么范围内，本库选出的参数比论文的公式更省空间？',
  },
};

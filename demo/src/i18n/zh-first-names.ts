// 常见的中文姓名：在中文页面上，就在这些姓名里找“分身”。
// Invariant: no surname and no given name stands twice (a test looks). Which are common is a fact; the choice is this page's.

const SURNAMES = `
  王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 罗 高 郑 梁 谢 宋 唐 许 邓 韩 冯 曹 彭 曾 肖 田 董 潘 袁 蔡 蒋 余 于
  杜 叶 程 魏 苏 吕 丁 任 卢 姚 沈 钟 姜 崔 谭 陆 范 汪 廖 石 金 韦 贾 夏 付 方 邹 熊 白 孟 秦 邱 侯 江 尹 薛 闫 段 雷 龙 黎
  史 陶 贺 毛 郝 顾 龚 邵 万 覃 武 钱 戴 严 莫 孔 向 常
`
  .trim()
  .split(/\s+/);

const GIVEN = `
  伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 秀兰 霞 平 刚 桂英 玉兰 萍 鹏 华 红 飞 玲 斌 丹 波 辉 宇 浩 凯 健 俊 帆
  雪 琳 婷 雨欣 子涵 欣怡 梓轩 浩然 诗涵 宇轩 梦瑶 俊杰 思远 雅婷 子轩 佳怡 一诺 嘉豪 晓明 晓燕 小红 建国 建华 志强 志伟
  海燕 春梅 秀英 文静 文博 天宇 天佑 若曦 若彤 语桐 可欣 梦琪 思琪 晨曦 晨阳 子墨 子豪 雨桐 雨泽 宇航 宇辰 皓轩 博文 博涵
  佳琪 佳慧 欣然 欣悦 雅琪 雅静 美玲 丽华 丽娟 玉梅 玉华 国强 国庆 志明 志远 永强 永福 学文 学军 小龙 小刚 小丽 小燕 冬梅
  秋月 夏雨 春生 安琪 安然 嘉怡 嘉欣 睿 泽宇 沐宸 沐阳 奕辰 奕萱 艺涵 艺馨 诗雨 诗琪 静怡 静雯 心怡 心悦 颖 倩 莹 璐 瑶
  岩 峰 毅 翔 旭 晖 昊 晨 轩 哲 航 恒 宁 宏 亮 政 彬 龙飞 云飞 云霞 凤英 凤霞 兰英 淑珍 淑华 桂兰 桂芳 金凤 银凤 宝玉
`
  .trim()
  .split(/\s+/);

/** 第 batch 批姓名：每个名字配一个姓，下一批换下一个姓。 */
export function namesOf(batch: number): readonly string[] {
  return GIVEN.map((given, i) => `${SURNAMES[(i + batch) % SURNAMES.length]}${given}`);
}

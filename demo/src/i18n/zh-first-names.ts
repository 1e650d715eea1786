// 常见的中文姓名：在中文页面上，就在这些姓名里找“分身”。
// Invariant: no surname and no given name stands twice (a test looks). Which are common is a fact; the choice is this page's.
import names from './zh-first-names.json';

/** 第 batch 批姓名：每个名字配一个姓，下一批换下一个姓。 */
export function namesOf(batch: number): readonly string[] {
  return names.given.map((given, i) => `${names.surnames[(i + batch) % names.surnames.length]}${given}`);
}

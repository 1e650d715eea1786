// The page on paper: exercises that can be solved from what is printed.
// Invariant: the solutions here read the sheet alone, as a learner would, and never ask the core.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** A slot as printed: the fingerprint, and the line below it. */
interface Cell {
  readonly fingerprint: string;
  readonly below: string;
}

interface Sheet {
  readonly text: string;
  /** Row by row. */
  readonly rows: readonly (readonly Cell[])[];
}

function sheets(): Promise<Sheet[]> {
  return demo.page.locator('.exercises > li').evaluateAll((all) =>
    all.map((exercise) => ({
      text: (exercise as HTMLElement).innerText,
      rows: [...exercise.querySelectorAll('tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => ({
          fingerprint: cell.firstChild?.textContent?.trim() ?? '',
          below: cell.querySelector('small')?.textContent ?? '',
        })),
      ),
    })),
  );
}

/** The sheets and answers of a scene, with a number of seeds. */
async function eachExercise(
  scene: string,
  check: (sheet: Sheet, answer: string) => void,
  seeds = 3,
): Promise<void> {
  const page = await demo.open('#v=1&s=teach');
  await page.getByLabel('Scenes').last().selectOption(scene);
  await page.getByLabel('Exercises').fill('12');
  await page.getByText('Answers', { exact: true }).click();
  for (let seed = 1; seed <= seeds; ++seed) {
    await page.getByLabel('Seed').fill(String(seed * 100));
    const exercises = await sheets();
    const answers = await page.locator('.answers b').allInnerTexts();
    expect(exercises).toHaveLength(12);
    for (const [i, exercise] of exercises.entries())
      check(exercise, (answers[i] ?? '').replace(/^\d+\. /, ''));
  }
}

const homesIn = (text: string): number[] => {
  const [, one, other] =
    /(?:first home is bucket|homes are buckets) (\d+)(?:, its second bucket| and) (\d+)/.exec(text) ?? [];
  const [, both] = /bucket (\d+) is both/.exec(text) ?? [];
  return both === undefined ? [Number(one), Number(other)] : [Number(both)];
};

const fingerprintIn = (text: string): string => /[Ii]ts fingerprint (?:is )?(0x\w+)/.exec(text)?.[1] ?? '?';

test('lookup: the slots read are counted on the sheet', async () => {
  await eachExercise('lookup', ({ text, rows }, answer) => {
    const homes = homesIn(text).map((bucket) => rows[bucket] ?? []);
    const reads = homes.map((slots) => {
      const match = slots.findIndex(({ fingerprint }) => fingerprint === fingerprintIn(text));
      return match === -1 ? slots.length : match + 1;
    });
    expect(String(reads.reduce((sum, each) => sum + each, 0))).toBe(answer);
    const isMatched = homes.flat().some(({ fingerprint }) => fingerprint === fingerprintIn(text));
    expect(isMatched).toBe(!text.includes('is not in the filter'));
  });
});

test('fail: whose fingerprint is in hand at the end is followed on the sheet', async () => {
  await eachExercise('fail', ({ text, rows }, answer) => {
    const key = /“([^”]+)” is inserted/.exec(text)?.[1] ?? '';
    const owners = new Map<string, string>(
      rows.flatMap((row, bucket) => row.map(({ below }, slot) => [`${bucket}.${slot}`, below] as const)),
    );
    let hand = key;
    const slots = /from 0: ([\d., ]+)\./.exec(text)?.[1]?.split(', ') ?? [];
    expect(slots.length).toBeGreaterThan(0);
    for (const slot of slots) {
      const victim = owners.get(slot);
      if (victim === undefined || victim === '') throw new Error(`no name at ${slot}`);
      owners.set(slot, hand);
      hand = victim;
    }
    expect(answer).toBe(hand);
  });
});

test('delete: the key that is lost, or that none is, is found on the sheet', async () => {
  await eachExercise('delete', ({ text, rows }, answer) => {
    const match = homesIn(text)
      .flatMap((bucket) => rows[bucket] ?? [])
      .find(({ fingerprint }) => fingerprint === fingerprintIn(text));
    expect(match?.below ?? 'none of them').toBe(answer);
  });
});

test('no answer fits a whole sheet: keys are there or not, and deletes harm somebody or nobody', async () => {
  const page = await demo.open('#v=1&s=teach');
  await page.getByLabel('Exercises').fill('10');
  await page.getByText('Answers', { exact: true }).click();
  for (const scene of ['homes', 'lookup', 'kick', 'fail', 'delete']) {
    await page.getByLabel('Scenes').last().selectOption(scene);
    for (const seed of [1, 7, 8, 100, 2026, 99_999]) {
      await page.getByLabel('Seed').fill(String(seed));
      const answers = (await page.locator('.answers b').allInnerTexts()).map((text) =>
        text.replace(/^\d+\. /, ''),
      );
      expect([scene, seed, answers.length]).toEqual([scene, seed, 10]);
      expect(new Set(answers).size).toBeGreaterThanOrEqual(3);
      if (scene === 'lookup') expect(new Set(answers.map((text) => text === '8')).size).toBe(2);
      if (scene === 'delete') expect(answers).toContain('none of them');
    }
  }
  // The scene asks the same question, of a delete that harms nobody too.
  expect(await page.locator('.answers b').first().innerText()).toContain('none of them');
  const asked = await page.locator('.exercises p').first().innerText();
  await page.locator('.answers a').first().click();
  expect(await page.locator('.ask-question').innerText()).toBe(asked);
});

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
  const [, one, other] = /first home is bucket (\d+), its second bucket (\d+)/.exec(text) ?? [];
  const [, both] = /bucket (\d+) is both/.exec(text) ?? [];
  return both === undefined ? [Number(one), Number(other)] : [Number(both)];
};

const fingerprintIn = (text: string): string => /has the fingerprint (\w+)/.exec(text)?.[1] ?? '?';

test('lookup: the slots read are counted on the sheet', async () => {
  await eachExercise('lookup', ({ text, rows }, answer) => {
    const read = homesIn(text).reduce((sum, bucket) => sum + (rows[bucket]?.length ?? NaN), 0);
    const all = homesIn(text).length === 1 ? 2 * read : read;
    expect(String(all)).toBe(answer);
    expect(homesIn(text).flatMap((bucket) => rows[bucket] ?? [])).not.toContainEqual(
      expect.objectContaining({ fingerprint: fingerprintIn(text) }),
    );
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
    expect(answer).toBe(hand === key ? 'the new key' : 'a key accepted earlier');
  });
});

test('delete: the key that is lost is found on the sheet', async () => {
  await eachExercise('delete', ({ text, rows }, answer) => {
    const match = homesIn(text)
      .flatMap((bucket) => rows[bucket] ?? [])
      .find(({ fingerprint }) => fingerprint === fingerprintIn(text));
    expect(match?.below).toBe(answer);
  });
});

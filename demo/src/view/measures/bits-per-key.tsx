// How many bits per key: one plot against the false positive rate; a Bloom filter beside a cuckoo filter of the same bits;
// and, folded, how sorting saves a bit.
import { useEffect } from 'preact/hooks';
import { Figures } from '../../controls/fields';
import { words } from '../../i18n';
import { planned } from '../../core/measure';
import { powerAxis, type PlotPoint } from '../../model/picture/plot';
import { crossed, percentText } from '../../model/scenes/measures';
import { bitsPerKey, rounded, type SpaceCurve } from '../../model/statistics';
import type { Page } from '../../app/page';
import { PaperLink } from '../paper';
import { Plot } from '../plots/plot';
import { BloomBeside } from './bloom-beside';
import '../../styles/boards.css';

const CURVES: readonly SpaceCurve[] = ['cuckoo', 'semiSorted', 'bloom', 'limit'];
const RATES = Array.from({ length: 61 }, (_, i) => 10 ** (-6 + i / 10)).filter((rate) => rate < 0.51);

export default function BitsPerKey({ page }: { page: Page }) {
  const t = words.value.space;
  const lesson = page.lesson.value;
  const isAsking = lesson?.phase === 'predict';
  const guess = page.guess.value;
  // The second question asks where the semi-sorted curve crosses another, so the first does not show it.
  const isLeft = lesson?.part === 0 && lesson.phase !== 'free';
  const shown = CURVES.filter((curve) => !isLeft || curve !== 'semiSorted');
  const exponent = page.kept.value.number('rate', -2, (value) => value >= -6 && value <= -0.3);
  useEffect(() => {
    if (lesson?.phase !== 'run') return;
    const answer = crossed(lesson.part);
    if (lesson.isReplayed !== true) exponent.value = Math.log10(answer);
    page.measured(percentText(answer), 0);
  }, [lesson?.phase, lesson?.part]);
  // Rounded as it is shown, so that the formulas, computed by hand, give the bits shown.
  const rate = rounded(10 ** exponent.value);
  const { percent, number } = words.value.plot;
  const answer = crossed(lesson?.part ?? 0);
  const plan = planned(rate);
  return (
    <section class="theatre measure" aria-label={words.value.scenes.bits.title}>
      <Plot
        title={t.title}
        x={powerAxis(t.rate, 1e-6, 1, (value) => percent(100 * value))}
        y={{ label: t.bits, least: 0, most: 30, ticks: [0, 5, 10, 15, 20, 25, 30], format: number }}
        series={shown.map((curve) => ({
          name: t.curves[curve],
          look: CURVES.indexOf(curve),
          points: isAsking ? [] : RATES.map((each): PlotPoint => [each, bitsPerKey(curve, each)]),
          ...(curve === 'bloom' &&
            lesson?.phase === 'compare' && { answer: [answer, bitsPerKey(curve, answer)] as const }),
        }))}
        guess={typeof lesson?.guess === 'string' ? Number(lesson.guess) / 100 : undefined}
        {...(isAsking && { empty: words.value.explain.locked })}
        {...(!(isAsking && guess === null) && { at: isAsking ? Number(guess) / 100 : rate })}
      />
      {!isAsking && (
        <>
          <div class="slider is-wide grid">
            <span>{t.rateIs(percent(100 * rate))}</span>
            <input
              type="range"
              min={-6}
              max={-0.3}
              step={0.05}
              value={exponent.value}
              aria-label={t.rate}
              aria-valuetext={percent(100 * rate)}
              onInput={(event) => (exponent.value = Number(event.currentTarget.value))}
            />
          </div>
          <Figures
            rows={[
              ...shown.map((curve) => [t.curves[curve], t.bitsOf(number(bitsPerKey(curve, rate)))] as const),
              [t.planned, t.bitsOf(number(plan.bitsPerKey))],
            ]}
          />
          <p class="note">{t.plan(plan)}</p>
          <p class="note">
            {t.note} <PaperLink />
          </p>
          <BloomBeside page={page} />
          <details>
            <summary>{t.nibblesTitle}</summary>
            <p>{t.nibbles}</p>
          </details>
        </>
      )}
    </section>
  );
}

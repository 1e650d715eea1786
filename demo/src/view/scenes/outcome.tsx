// What became of a prediction: the verdict, and the answer in a sentence.
import { sceneWords, textOfValue, words } from '../../i18n';
import type { Lesson } from '../../model/lesson';
import type { Result } from '../../app/page';
import { marked } from '../stage/chip';

export function Outcome({ lesson, result }: { lesson: Lesson; result: Result }) {
  const { lesson: t } = words.value;
  const { scene, part, guess } = lesson;
  const { answer, verdict, near, facts } = result;
  return (
    <>
      <p class={`verdict is-${verdict}`} tabindex={-1}>
        <strong>{t[verdict]}</strong>{' '}
        {guess !== null && verdict !== 'right' && <span>{t.yours(textOfValue(guess, scene))}</span>}{' '}
        {verdict === 'wrong' && near > 0 && typeof answer === 'object' && (
          <span>{t.near(near, answer.length)}</span>
        )}
      </p>
      <p class="ask-found">{marked(sceneWords(scene).found[part]?.(facts) ?? '')}</p>
    </>
  );
}

// What the table shows of an answer: the bucket that was guessed, and at the end the key that a filter would lose.
import { effect } from '@preact/signals';
import { canStepForward } from '../model/trace/session';
import type { Page } from './page';

export function markAnswers({ store, lesson, guess, result }: Page): void {
  effect(() => {
    const told = canStepForward(store.session.value) ? null : result.value;
    const phase = lesson.value?.phase;
    const guessed = phase === 'predict' ? guess.value : lesson.value?.guess;
    store.show({
      lost: String(told?.facts['lost'] ?? ''),
      guessed: store.asksHome.value && phase !== 'free' && typeof guessed === 'number' ? guessed : null,
    });
  });
}

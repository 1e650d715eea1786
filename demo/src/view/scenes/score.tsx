// How many predictions were right; it is kept on the visitor's device, and forgotten on request.
import { Button } from '../../controls/button';
import { words } from '../../i18n';
import { countOf } from '../../model/lesson';
import type { Page } from '../../app/page';
import '../../styles/guide.css';

export function ScoreLine({ page, canForget = false }: { page: Page; canForget?: boolean }) {
  const t = words.value.lesson;
  const { right, asked } = countOf(page.score.value);
  if (asked === 0) return null;
  return (
    <p class="score">
      <b>{t.score(right, asked)}</b> <span class="note">{t.scoreNote}</span>
      {canForget && <Button look="quiet" text={t.forget} onClick={() => page.remember({})} />}
    </p>
  );
}

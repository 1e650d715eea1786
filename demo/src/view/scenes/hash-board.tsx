// Scene 1: two keys, their hashes bit by bit, and the bits that are kept.
// Invariant: the hashes come from lookups that the core reports; the page computes none.
import { KeyField } from '../../controls/key-field';
import { words } from '../../i18n';
import { bitsOf } from '../../model/picture/bits';
import { first } from '../../model/scenes/read';
import type { Page } from '../../app/page';
import { Bits } from './bits';

const HASH_BITS = 64;

export function HashBoard({ page }: { page: Page }) {
  const t = words.value.boards;
  const facts = page.task.value?.facts ?? {};
  const key = String(facts['key'] ?? 'cuckoo');
  const keys = [
    page.kept.value.text('one', key),
    page.kept.value.text('other', String(facts['other'] ?? neighbour(key))),
  ] as const;
  const isAsking = page.lesson.value?.phase === 'predict';
  // Which bits are kept is what the first question asks.
  const isTold = !isAsking || page.lesson.value?.part === 1;
  const kept = page.store.session.value.settings.fingerprintBits;
  const [one, other] = keys.map((key) => bitsOf(hashOf(page, key.value), HASH_BITS)) as [number[], number[]];
  const isDifferent = (at: number): boolean => !isAsking && one[at] !== other[at];
  const count = one.filter((_, at) => isDifferent(at)).length;
  const shown = isAsking ? [keys[0]] : keys;
  return (
    <div class="stage board">
      {shown.map((key, i) => (
        <div class="board-row" key={i}>
          <KeyField label={i === 0 ? t.key : t.otherKey} value={key} />
          <Bits
            bits={(i === 0 ? one : other) ?? []}
            label={t.hash}
            look={(at) =>
              `${isTold ? partOf(at, kept) : ''}${i === 1 && isDifferent(at) ? ' is-changed' : ''}`
            }
          />
        </div>
      ))}
      {isTold && <Legend kept={kept} />}
      {!isAsking && (
        <p class="board-fact" role="status">
          <strong>{t.differ(count, HASH_BITS)}</strong>
          {words.value.steps.gap()}
          {t.notStored}
        </p>
      )}
    </div>
  );
}

function Legend({ kept }: { kept: number }) {
  const t = words.value.boards;
  return (
    <ul class="board-legend">
      <li>
        <span class="bit is-home" aria-hidden="true" />
        {t.homeBits}
      </li>
      <li>
        <span class="bit is-kept" aria-hidden="true" />
        {t.keptBits(kept)}
      </li>
      <li>
        <span class="bit" aria-hidden="true" />
        {t.droppedBits}
      </li>
    </ul>
  );
}

/** The key with another last character. */
function neighbour(key: string): string {
  return key.slice(0, -1) + (key.endsWith('1') ? '2' : '1');
}

function hashOf(page: Page, key: string): bigint {
  return first(page.store.lookUp(key), 'begin').hash;
}

/** The front half chooses home 1, the last bits are the fingerprint. */
function partOf(at: number, kept: number): string {
  if (at < HASH_BITS / 2) return 'is-home';
  return at >= HASH_BITS - kept ? 'is-kept' : '';
}

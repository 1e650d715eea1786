// A filter's row: its bars, its memory with what the last lookup read, and its false positives by name.
import { useSignal } from '@preact/signals';
import { Button } from '../controls/button';
import { save } from '../browser/exports';
import { words } from '../i18n';
import type { Kind, Look } from './protocol';
import { barOf, BARS, isLessBetter, type Bar, type Result } from './results';
import { barText, refusalText } from './texts';
import { compareWords } from './words';

interface RivalProps {
  readonly kind: Kind;
  readonly result: Result;
  /** The longest bar of each sort. */
  readonly most: Readonly<Record<Bar, number>>;
  /** Asks for the false positives; null where keys have no names. */
  readonly onNames: (() => void) | null;
}

export function Rival({ kind, result, most, onNames }: RivalProps) {
  const t = compareWords.value;
  const { state, figures } = result;
  return (
    <li class={`rival is-${state}`} data-kind={kind}>
      <div class="rival-name">
        <h2>{t.names[kind]}</h2>
        <p class="note">{t.about[kind]}</p>
      </div>
      {state === 'refused' ? (
        <p class="rival-refusal">{refusalText(result)}</p>
      ) : (
        <>
          <dl class="gauges">
            {BARS.map((bar) => (
              <Gauge key={bar} bar={bar} result={result} most={most[bar]} />
            ))}
          </dl>
          <Warnings result={result} />
          {figures.bytes !== undefined && <Strip bytes={figures.bytes} look={result.look} />}
          {figures.linesPresent !== undefined && (
            <p class="note">
              {t.average(
                words.value.plot.number(figures.linesAbsent ?? 0),
                words.value.plot.number(figures.linesPresent),
              )}
            </p>
          )}
          {onNames !== null && (figures.found ?? 0) > 0 && (
            <Names kind={kind} result={result} onNames={onNames} />
          )}
        </>
      )}
    </li>
  );
}

function Gauge({ bar, result, most }: { bar: Bar; result: Result; most: number }) {
  const t = compareWords.value;
  const value = barOf(result, bar);
  const { expectedRate } = result.figures;
  const isMissing = bar === 'eraseSpeed' && result.state === 'done';
  return (
    <div class={isLessBetter(bar) ? 'gauge is-less' : 'gauge'}>
      <dt>
        {t.bars[bar]} <span aria-hidden="true">{isLessBetter(bar) ? '↓' : '↑'}</span>
      </dt>
      <dd>
        {value === undefined ? (
          <span class="gauge-none">
            {isMissing ? t.cannotErase : result.state === 'waiting' ? t.waits : '…'}
          </span>
        ) : (
          <span>{barText(bar, value)}</span>
        )}
        <span class="gauge-bar" aria-hidden="true" style={`--part: ${(value ?? 0) / (most || 1)}`} />
        {bar === 'rate' && expectedRate !== undefined && (
          <small>{t.byFormula(barText('rate', expectedRate))}</small>
        )}
      </dd>
    </div>
  );
}

/** What should not be. */
function Warnings({ result: { figures, state } }: { result: Result }) {
  const t = compareWords.value;
  const { inserted = 0, lost = 0, wanted = 0 } = figures;
  const isShort = state === 'done' && inserted < wanted;
  return (
    <>
      {lost > 0 && <p class="warning">{t.lost(lost)}</p>}
      {isShort && <p class="warning">{t.refused(inserted)}</p>}
    </>
  );
}

/** The memory as a line, with a mark for each read of the lookup. */
function Strip({ bytes, look }: { bytes: number; look: Look | null }) {
  const t = compareWords.value;
  const text = look === null ? '' : t.strip(look.cacheLines, Math.ceil(bytes / LINE_BYTES), look.isFound);
  return (
    <div class="strip">
      <svg viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="strip-memory" width={WIDTH} height="14" />
        {look?.reads.map(([first, count], i) => (
          <line
            key={i}
            class="strip-read"
            x1={((first + count / 2) / bytes) * WIDTH}
            x2={((first + count / 2) / bytes) * WIDTH}
            y1="0"
            y2="14"
          />
        ))}
      </svg>
      {text !== '' && <p class="note">{text}</p>}
    </div>
  );
}

const WIDTH = 1000;
const LINE_BYTES = 64;
const SHOWN = 100;

function Names({ kind, result, onNames }: { kind: Kind; result: Result; onNames: () => void }) {
  const t = compareWords.value;
  const isAsked = useSignal(false);
  const { names } = result;
  if (names === null) {
    return (
      <Button
        look="quiet"
        text={t.namesOf(result.figures.found ?? 0)}
        disabled={isAsked.value}
        onClick={() => {
          isAsked.value = true;
          onNames();
        }}
      />
    );
  }
  return (
    <details class="false-lines" open>
      <summary>{t.namesTitle(t.names[kind])}</summary>
      <ol tabIndex={0} aria-label={t.namesTitle(t.names[kind])}>
        {names.slice(0, SHOWN).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ol>
      <p class="note">{t.namesMore(Math.min(SHOWN, names.length), names.length)}</p>
      <Button
        look="quiet"
        text={t.namesSave}
        onClick={() => save(`${kind}.txt`, `${names.join('\n')}\n`, 'text/plain')}
      />
    </details>
  );
}

// A long run: its button, its progress, and the button that stops it.
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../controls/fields';
import { words } from '../../i18n';

export interface Run {
  readonly isRunning: ReadonlySignal<boolean>;
  readonly progress: ReadonlySignal<number>;
  readonly start: () => void;
  readonly stop: () => void;
}

/** `body` gets a signal that stops it, and tells its progress. */
export function useRun(body: (signal: AbortSignal, tell: (progress: number) => void) => Promise<void>): Run {
  const isRunning = useSignal(false);
  const progress = useSignal(0);
  const latest = useMemo(() => ({ abort: new AbortController(), body }), []);
  latest.body = body;
  useEffect(() => () => latest.abort.abort(), [latest]);
  return {
    isRunning,
    progress,
    start: () => {
      if (isRunning.value) return;
      latest.abort = new AbortController();
      isRunning.value = true;
      progress.value = 0;
      void latest
        .body(latest.abort.signal, (value) => (progress.value = value))
        .finally(() => (isRunning.value = false));
    },
    stop: () => latest.abort.abort(),
  };
}

interface RunBarProps {
  readonly run: Run;
  readonly label: string;
  /** Spoken once, at the end. */
  readonly summary: string;
  /** What is running, if that is not obvious. */
  readonly doing?: string;
}

export function RunBar({ run, label, summary, doing = '' }: RunBarProps) {
  const t = words.value.plot;
  const { isRunning, progress } = run;
  return (
    <div class="run-bar">
      <Button text={isRunning.value ? t.stop : label} onClick={isRunning.value ? run.stop : run.start} />
      {isRunning.value && <progress max={1} value={progress.value} aria-label={t.progress} />}
      <p class="run-summary" role="status">
        {isRunning.value ? doing : summary}
      </p>
    </div>
  );
}

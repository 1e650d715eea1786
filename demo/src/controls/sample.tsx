// Code to take along: lines with a button that copies them.
// Invariant: where the browser refuses to copy, the text is selected, and the visitor is told so.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { isCopied } from '../browser/clipboard';
import { words } from '../i18n';
import { Button } from './fields';

export function Copy({ from }: { from: RefObject<HTMLElement | null> }) {
  const t = words.value.api;
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    const { current } = from;
    if (current === null) return;
    // So that a second copy is told, too.
    said.value = '';
    const isField = current instanceof HTMLTextAreaElement;
    const isDone = await isCopied(isField ? current.value : (current.textContent ?? ''));
    said.value = isDone ? t.copied : t.selected;
    if (isDone) return;
    if (isField) current.select();
    else getSelection()?.selectAllChildren(current);
  };
  return (
    <span class="copy row">
      <span class="note" role="status">
        {said.value}
      </span>
      <Button look="quiet" text={t.copy} onClick={() => void copy()} />
    </span>
  );
}

export function Sample({ label, children }: { label: string; children: ComponentChildren }) {
  const code = useRef<HTMLElement>(null);
  return (
    <pre tabindex={0} role="region" aria-label={label}>
      <Copy from={code} />
      <code ref={code}>{children}</code>
    </pre>
  );
}

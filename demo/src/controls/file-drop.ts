// A place to drop a file on. Invariant: it shows that it would take one as long as one is over it.
import { useSignal, type ReadonlySignal } from '@preact/signals';

interface FileDrop {
  /** Whether something is dragged over the place. */
  readonly isOver: ReadonlySignal<boolean>;
  /** What the place's element listens to. */
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** `take` is given the first of the files that are dropped. */
export function useFileDrop(take: (file: File) => void): FileDrop {
  const isOver = useSignal(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event) => {
        event.preventDefault();
        isOver.value = true;
      },
      onDragLeave: () => {
        isOver.value = false;
      },
      onDrop: (event) => {
        event.preventDefault();
        isOver.value = false;
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) take(file);
      },
    },
  };
}

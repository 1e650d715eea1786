// One kick is told in four places: by its arrow, its sum, its row in the list and its sentence. Each lights the others.
import type { Store } from '../../app/store';
import { kickedOf, operationShown } from '../../model/trace/marks';

/** The kick that the sum and the sentence of the step shown are about; null: none. */
export function kickTold(store: Store): number | null {
  return kickedOf(operationShown(store.session.value))?.kick.kick ?? null;
}

export function litClass(store: Store, kick: number | null): string {
  return kick !== null && store.lit.value === kick ? ' is-lit' : '';
}

export function lighting(store: Store, kick: number | null) {
  const light = (lit: number | null) => (): void => store.show({ lit });
  return kick === null
    ? {}
    : {
        ...{ onPointerEnter: light(kick), onPointerLeave: light(null) },
        ...{ onFocus: light(kick), onBlur: light(null) },
      };
}

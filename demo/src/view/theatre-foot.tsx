// Below the table: what its signs mean, the keys that the filter does not keep, and on paper the steps one by one.
import { words } from '../i18n';
import type { Store } from '../store';
import { FilmStrip } from './film-strip';
import { Legend } from './legend';

export default function TheatreFoot({ store }: { store: Store }) {
  return (
    <>
      <FilmStrip store={store} />
      <div class="theatre-foot">
        <Legend store={store} />
        <Keys store={store} />
        <button
          class="button is-quiet present-button"
          type="button"
          onClick={() => (store.presents.value = true)}
        >
          {words.value.stage.present}
        </button>
      </div>
    </>
  );
}

/** Whether the chips carry their keys. */
function Keys({ store }: { store: Store }) {
  const t = words.value.notebook;
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={store.showsNames.value}
        onChange={(event) => (store.showsNames.value = event.currentTarget.checked)}
      />
      <span>{t.toggle}</span>
    </label>
  );
}

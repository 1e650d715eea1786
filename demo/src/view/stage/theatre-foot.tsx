// Below the table: what its signs mean, the keys that the filter does not keep, and on paper the steps one by one.
import { Button } from '../../controls/button';
import { Toggle } from '../../controls/toggle';
import { words } from '../../i18n';
import type { Store } from '../../app/store';
import { FilmStrip } from '../panels/film-strip';
import { Legend } from './legend';

export default function TheatreFoot({ store }: { store: Store }) {
  return (
    <>
      <FilmStrip store={store} />
      <div class="theatre-foot">
        <Legend store={store} />
        <Toggle
          label={words.value.notebook.toggle}
          isOn={store.showsNames.value}
          onChange={(showsNames) => store.show({ showsNames })}
        />
        <Button
          look="quiet"
          text={words.value.stage.present}
          onClick={() => store.show({ presents: true })}
        />
      </div>
    </>
  );
}

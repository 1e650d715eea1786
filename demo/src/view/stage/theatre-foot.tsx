// Below the table: what its signs mean, and the keys that the filter does not keep.
import { Button } from '../../controls/button';
import { Toggle } from '../../controls/toggle';
import { words } from '../../i18n';
import type { Store } from '../../app/store';
import { Legend } from './legend';

export default function TheatreFoot({ store }: { store: Store }) {
  return (
    <div class="theatre-foot">
      <Legend store={store} />
      <Toggle
        label={words.value.notebook.toggle}
        isOn={store.showsNames.value}
        onChange={(showsNames) => store.show({ showsNames })}
      />
      <Button look="quiet" text={words.value.stage.present} onClick={() => store.show({ presents: true })} />
    </div>
  );
}

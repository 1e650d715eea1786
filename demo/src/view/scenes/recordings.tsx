// What other designs do: recorded once, shown as it is, and named as such.
import { words } from '../../i18n';
import { TableFrame } from '../plots/data-table';

/** (i XOR 7) mod 12, there and back: the rule of three public demos, whose numbers of buckets are no powers of two. */
const OFFSET = 7;
const TO = [7, 6, 5, 4, 3, 2, 1, 0, 3, 2, 1, 0];
const BACK = [0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7];
const BUCKETS = TO.length;

/** XOR where the number of buckets is no power of two: the way back is lost. */
export function XorMod() {
  const t = words.value.recordings;
  const ways = TO.map((to, from) => ({ from, to, back: BACK[from] ?? to }));
  const lost = ways.filter(({ from, back }) => from !== back);
  return (
    <details class="recording">
      <summary>{t.xorTitle(BUCKETS)}</summary>
      <p class="recording-label">{t.label}</p>
      <p>{t.xorLead(OFFSET, BUCKETS)}</p>
      <TableFrame title={t.xorTitle(BUCKETS)}>
        <table>
          <thead>
            <tr>
              <th scope="row">{t.from}</th>
              {ways.map(({ from }) => (
                <th key={from} scope="col">
                  {from}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(['to', 'back'] as const).map((column) => (
              <tr key={column}>
                <th scope="row">{t[column]}</th>
                {ways.map((way) => (
                  <td key={way.from} class={column === 'back' && way.back !== way.from ? 'is-lost' : ''}>
                    {way[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p>{t.xorLost(lost.length, BUCKETS)}</p>
    </details>
  );
}

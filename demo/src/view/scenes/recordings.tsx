// What other designs do: recorded once, shown as it is, and named as such (see recordings/record.mjs).
import { words } from '../../i18n';
import { stash, xorMod } from '../../recordings.json';

/** XOR where the number of buckets is no power of two: the way back is lost. */
export function XorMod() {
  const t = words.value.recordings;
  const ways = xorMod.to.map((to, from) => ({ from, to, back: xorMod.back[from] ?? to }));
  const lost = ways.filter(({ from, back }) => from !== back);
  return (
    <details class="recording">
      <summary>{t.xorTitle(xorMod.bucketCount)}</summary>
      <p class="recording-label">{t.label}</p>
      <p>{t.xorLead(xorMod.offset, xorMod.bucketCount)}</p>
      <div class="table-frame" tabindex={0} role="region" aria-label={t.xorTitle(xorMod.bucketCount)}>
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
      </div>
      <p>{t.xorLost(lost.length, xorMod.bucketCount)}</p>
    </details>
  );
}

/** A stash that takes the last victim and then closes the filter. */
export function StashRecording() {
  const t = words.value.recordings;
  return (
    <section class="panel recording">
      <h2>{t.stashTitle}</h2>
      <p class="recording-label">{t.labelOf(stash.source)}</p>
      <ol>
        <li>{t.stashCopies(stash.copies)}</li>
        {stash.others.map((answer, i) => (
          <li key={i} class={answer === 'Ok' ? '' : 'is-lost'}>
            {t.stashOther(i + 1, answer)}
          </li>
        ))}
      </ol>
      <p>{t.stashSum(stash.copies, stash.slots)}</p>
    </section>
  );
}

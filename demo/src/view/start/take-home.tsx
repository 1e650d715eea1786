// Where the story ends: how to install and call the package, what to decide by, and where its code and its documents are.
// Invariant: no address is made up, and no figure either: bits of filters are computed here, and the others are those of the README
// (a test compares them).
import { date, repository } from '../../../../publisher.json';
import { Table } from '../../controls/fields';
import { Sample } from '../../controls/sample';
import { plannedBits } from '../../core/measure';
import { words } from '../../i18n';
import { bitsPerKey, rounded, SET_BITS, SPEEDS } from '../../model/statistics';
import { IS_IN_SITE } from '../header';
import { marked } from '../stage/chip';
import { screenWidth } from '../width';
import { ApiLines } from './api-lines';
import '../../styles/boards.css';

/** Until then, a clone has to be packed (README.md). */
export const IS_PUBLISHED = date !== '';

const RATE = 0.001;

export function TakeHome({ name }: { name: string }) {
  const { take: t, plot, nav } = words.value;
  const speeds = (['has', 'add'] as const).map((call) => {
    const [own, ...others] = SPEEDS[call];
    return [
      t.calls[call],
      t.range(...own),
      ...others.map(([least, most]) => t.times(rounded(1 / most), rounded(1 / least))),
    ];
  });
  const rows = [
    [t.bits, plot.number(plannedBits(RATE)), t.range(...SET_BITS), plot.number(bitsPerKey('bloom', RATE))],
    ...speeds,
    ...t.abilities,
  ];
  return (
    <section class="panel take grid" aria-labelledby="take-title">
      <h2 id="take-title">{t.title}</h2>
      <p>{t.lead}</p>
      {!IS_PUBLISHED && <p>{marked(t.unpublished)}</p>}
      <Sample label="npm">npm install cuckoofilter-wasm</Sample>
      <ApiLines name={name} />
      {/* On a phone, for who wants it. */}
      <details class="take-figures" open={screenWidth.value > 620}>
        <summary>{t.figures}</summary>
        <p>{t.decide}</p>
        <p>{t.dedup(plot.percent(100 * RATE))}</p>
        <p>{t.given(plot.percent(100 * RATE))}</p>
        <Table label={plot.data} columns={t.columns} rows={rows} />
        <p class="note">{marked(t.known)}</p>
      </details>
      {(repository !== '' || IS_IN_SITE) && (
        <p class="row">
          {repository !== '' && <a href={repository}>{t.source}</a>}
          {IS_IN_SITE && <a href={nav.docsAt}>{nav.docs}</a>}
        </p>
      )}
    </section>
  );
}

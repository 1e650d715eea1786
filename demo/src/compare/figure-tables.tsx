// Table 3, as measured here, natively and in the paper; and the loads that cuckoo hash tables reach.
import { DataTable, type DataTableProps } from '../view/plots/data-table';
import { Button } from '../controls/button';
import { words } from '../i18n';
import { save, tableCsv } from '../browser/exports';
import type { Measured } from './figures';
import { nativeRow } from './native';
import type { Kind } from './protocol';
import { compareWords } from './words';

/** Rows with their names, to read and to take away. */
function Numbers({ title, groups = [], headings, rows }: Omit<DataTableProps, 'class'>) {
  const names = groups.flatMap(([group, count]) => Array<string>(count).fill(group));
  const columns = headings.map((heading, i) =>
    i > 0 && names[i - 1] ? `${names[i - 1]}: ${heading}` : heading,
  );
  return (
    <>
      <DataTable title={title} class="numbers" groups={groups} headings={headings} rows={rows} />
      <Button
        look="quiet"
        text="CSV"
        onClick={() => save('table.csv', tableCsv(columns, rows), 'text/csv')}
      />
    </>
  );
}

export function TableThree({ measured, kinds }: { measured: Measured; kinds: readonly Kind[] }) {
  const t = compareWords.value;
  const { percent, number } = words.value.plot;
  const sources = [t.hereShort, t.nativeShort, t.paperShort];
  const { items: itemsOf, bits: bitsOf, rate: rateOf, build: buildOf, lines: linesOf } = t.columns;
  const groups = [
    ...[itemsOf, bitsOf, rateOf, buildOf].map((name) => [name, 3] as const),
    [linesOf, 2] as const,
  ];
  const headings = [t.columns.filter, ...sources, ...sources, ...sources, ...sources, ...sources.slice(0, 2)];
  const shown = (value: number | undefined, text: (value: number) => string): string =>
    value === undefined ? '' : text(value);
  const asPercent = (value: number): string => percent(100 * value);
  const lines = (row: { linesAbsent: number; linesPresent: number } | null | undefined): string =>
    row ? `${number(row.linesAbsent)} / ${number(row.linesPresent)}` : '';
  const rows = kinds.map((kind) => {
    const own = measured.rows.value[kind];
    const native = nativeRow(kind);
    const [items, bits, rate, build] = native?.paper ?? [];
    return [
      t.names[kind],
      shown(own && own.items / 1e6, number),
      shown(native ? native.items / 1e6 : undefined, number),
      shown(items, number),
      shown(own && (8 * own.bytes) / own.items, number),
      shown(native?.bits, number),
      shown(bits, number),
      shown(own?.rate, asPercent),
      shown(native?.rate, asPercent),
      shown(rate, asPercent),
      shown(own?.build, number),
      shown(native?.build, number),
      shown(build, number),
      lines(own),
      lines(native),
    ];
  });
  return <Numbers title={t.figureTitles.table3} groups={groups} headings={headings} rows={rows} />;
}

export function LoadTable({ measured }: { measured: Measured }) {
  const t = compareWords.value;
  const percent = (share: number | undefined): string =>
    share === undefined ? '' : words.value.plot.percent(100 * share);
  const all = measured.tables.value;
  const shapes = [...new Set(all.map(({ functions, slots }) => `${functions} ${slots}`))];
  const rows = shapes.map((shape) => {
    const own = all.filter(({ functions, slots }) => `${functions} ${slots}` === shape);
    const of = (isSearch: boolean): number | undefined =>
      own.find((each) => each.isSearch === isSearch)?.load;
    const [functions = '', slots = ''] = shape.split(' ');
    return [
      t.shape(Number(functions), Number(slots)),
      percent(own[0]?.threshold),
      percent(of(false)),
      percent(of(true)),
    ];
  });
  return (
    <>
      <Numbers title={t.figureTitles.tables} headings={t.tableColumns} rows={rows} />
      <p class="note">{t.tablesNote}</p>
    </>
  );
}

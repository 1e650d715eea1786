// The words of the measurements and plots, in English.

/** Up to three digits that mean something, without a tail of zeros. */
const short = (value: number): string =>
  value === 0 || Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));

/** The same; 100 only of all. */
export const percent = (value: number): string =>
  value < 100 && short(value) === '100' ? '99.9' : short(value);

export const enPlots = {
  plot: {
    data: 'The numbers as a table',
    series: 'line',
    load: 'load factor',
    meanKicks: 'mean kicks per insert',
    noKicks: 'Where no insert needed a kick there is no point: an axis of powers of ten has no zero.',
    number: short,
    percent: (value: number) => `${percent(value)} %`,
    nothing: 'not measured yet',
    stop: 'Stop',
    progress: 'Progress',
    regions: 'Load by region',
    region: 'region',
    slots: (first: number, last: number) => `slots ${first} to ${last}`,
  },
  race: {
    title: 'Four tables fill',
    slots: 'Slots in each table',
    kicks: 'Most kicks per insert',
    start: 'Start the race',
    lane: (slots: number) => (slots === 1 ? '1 slot per bucket' : `${slots} slots per bucket`),
    map: (slots: number, load: string) =>
      `Table with ${slots} slots per bucket, ${load} full: a dark pixel is a full slot`,
    paper: (percent: number) => `The paper plans with ${percent} %.`,
    summary: (loads: string) => `Full at ${loads}.`,
    kicksPlot: 'Kicks per insert against load',
    ahead: (percent: string) => `Looking ahead: ${percent}.`,
    aheadLane: (slots: number) => `${slots}, looking ahead`,
    note: 'Fingerprints of 16 bits. First a random one is kicked, as in the paper and in the scenes before this one; then, dashed, one that finds room, as this library does (“What this library adds”). The paper’s loads are figures to design with: a single run lies within a few points of them, and a table of 64 slots may show anything.',
  },
  rates: {
    title: 'Measure it',
    bits: 'Fingerprint bits (f)',
    probes: 'Absent keys asked',
    rate: 'false positive rate',
    plot: (bits: number) => `False positive rate against load, f = ${bits}, b = 4`,
    exact: 'exact, by the core’s formula',
    measured: 'measured, with its 95 % interval',
    start: 'Ask them',
    summary: (hits: number, asked: number, low: string, high: string) =>
      `At the last load ${hits.toLocaleString('en')} of ${asked.toLocaleString('en')}: the 95 % confidence interval is ${low} to ${high}.`,
    note: '4,096 buckets of 4 slots. To know a rate of 3 % to within a tenth takes about 12,000 keys; at 0.2 % 200,000; at 0.012 % three million.',
  },
  lengths: {
    title: 'Fingerprints of 2 to 16 bits',
    bits: 'fingerprint bits',
    ratePlot: 'False positive rate at 95 % load, b = 4',
    loadPlot: 'Load at the first refusal, 32,768 buckets of 4 slots',
    loadFull: 'load factor when full',
    random: 'a random one is kicked',
    ahead: 'looking ahead',
    start: 'Fill fifteen tables, twice',
    note: 'A table that refuses early wastes the memory that short fingerprints save.',
  },
};

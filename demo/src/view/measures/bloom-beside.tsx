// A Bloom filter and a cuckoo filter with the same bits and the same keys, side by side.
// Invariant: both run in C++; the page shows the bits, and the slots that a lookup read, as they tell it.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createBloom, type Bloom, type BloomAnswer } from '../../core/bloom';
import { Button, KeyField, submitted } from '../../controls/fields';
import { Rates, strangersTo } from '../../controls/rates';
import { createEngine, type Engine } from '../../core/engine';
import { birds, words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import { sampleKey } from '../../model/samples';
import { DEFAULTS } from '../../model/settings';
import { rateAt } from '../../model/statistics';
import { emptyTable, endOf, fingerprintsOf, ofKind } from '../../model/trace/state';
import { play } from '../../model/trace/timeline';
import type { Page } from '../../app/page';
import { hueStyle } from '../stage/chip';

const { bucketCount, bucketSize, fingerprintBits } = DEFAULTS;
/** Of the table, and as many of the Bloom filter. */
const BITS = bucketCount * bucketSize * fingerprintBits;
const KEYS = 24;
/** The best number of bits per key for so many keys: m / n ln 2. */
const PROBES = Math.round((BITS / KEYS) * Math.LN2);

interface Asked {
  readonly key: string;
  readonly isPresent: boolean;
  readonly bloom: BloomAnswer;
  readonly cuckoo: { isFound: boolean; reads: ReadonlySet<number>; buckets: number };
}

export function BloomBeside({ page }: { page: Page }) {
  const { bloom: t, plot } = words.value;
  const bloom = useSignal<Bloom | null>(null);
  const last = page.kept.value.text('bloom', '');
  const asked = useSignal<Asked | null>(null);
  const key = useSignal(last.value);
  const cuckoo = useMemo(filled, []);
  const ask = (text: string): void => {
    if (bloom.value === null) return;
    last.value = text;
    const events = cuckoo.engine.lookUp(text);
    const probes = ofKind(events, 'probe');
    const reads = new Set(probes.map(({ bucket, slot }) => bucket * bucketSize + slot));
    const buckets = new Set(probes.map(({ bucket }) => bucket)).size;
    asked.value = {
      key: text,
      isPresent: cuckoo.keys.includes(text),
      bloom: bloom.value.contains(text),
      cuckoo: { isFound: endOf(events).result === true, reads, buckets },
    };
  };
  useEffect(() => {
    void createBloom(BITS, PROBES).then((made) => {
      cuckoo.keys.forEach((each) => made.insert(each));
      bloom.value = made;
      if (last.value !== '') ask(last.value);
    });
    return () => cuckoo.engine.dispose();
  }, [bloom, cuckoo]);
  const { value: filter } = bloom;
  const counted = useMemo(() => {
    if (filter === null) return null;
    const strangers = strangersTo(birds(DEFAULTS.seed));
    return {
      bloom: strangers.filter((each) => filter.contains(each).isFound).length,
      cuckoo: cuckoo.engine.found(strangers).filter(Boolean).length,
    };
  }, [filter, cuckoo]);
  if (filter === null || counted === null) return null;
  const bits = filter.bits();
  const setBits = bits.reduce((a, b) => a + b, 0);
  const told = asked.value;
  const touched = new Set(told?.bloom.places.slice(0, told.bloom.reads));
  return (
    <section class="beside grid" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p>{t.lead(KEYS, BITS, PROBES)}</p>
      <form class="beside-form" onSubmit={submitted(() => ask(key.value))}>
        <KeyField label={t.key} value={key} />
        <Button text={t.ask} type="submit" />
        <Button look="quiet" text={t.askPresent} onClick={() => ask(cuckoo.keys[0] ?? '')} />
      </form>
      <div class="pair grid">
        <div>
          <h3>{t.bloom}</h3>
          <div class="field-of bit-field grid" role="img" aria-label={t.bloomBits(setBits, BITS)}>
            {[...bits].map((bit, i) => (
              <i key={i} class={`${bit === 1 ? 'is-set' : ''}${touched.has(i) ? ' is-read' : ''}`} />
            ))}
          </div>
          {told && <Answer asked={told} isFound={told.bloom.isFound} reads={t.bitReads(told.bloom.reads)} />}
          <Rates computed={(setBits / BITS) ** PROBES} found={counted.bloom} bits={BITS} size={KEYS} />
          <p class="note">{t.noDelete}</p>
        </div>
        <div>
          <h3>{t.cuckoo}</h3>
          <div
            class="field-of slot-field grid"
            role="img"
            aria-label={t.cuckooSlots(cuckoo.keys.length, bucketCount * bucketSize)}
          >
            {cuckoo.slots.map((slot, i) => (
              <i
                key={i}
                style={slot === 0 ? {} : hueStyle(slot)}
                class={`${slot === 0 ? '' : 'is-set print'}${told?.cuckoo.reads.has(i) === true ? ' is-read' : ''}`}
              >
                {slot === 0 ? '' : hex(slot, fingerprintBits)}
              </i>
            ))}
          </div>
          {told && (
            <Answer
              asked={told}
              isFound={told.cuckoo.isFound}
              reads={t.bucketReads(told.cuckoo.reads.size, told.cuckoo.buckets)}
            />
          )}
          <Rates computed={cuckoo.engine.rate()} found={counted.cuckoo} bits={BITS} size={KEYS} />
          <p class="note">{t.canDelete}</p>
        </div>
      </div>
      <p class="note">
        {t.known(
          PROBES,
          plot.percent((100 * KEYS) / (bucketCount * bucketSize)),
          plot.number(BITS / KEYS),
          plot.percent(100 * rateAt(BITS / KEYS)),
        )}
      </p>
    </section>
  );
}

function Answer({ isFound, reads, asked }: { isFound: boolean; reads: string; asked: Asked }) {
  const t = words.value;
  return (
    <p class="beside-answer" role="status">
      <strong>{isFound ? t.answer.maybe : t.answer.never}</strong> {reads}
      {isFound && !asked.isPresent && <em> {t.bloom.wrong(asked.key)}</em>}
    </p>
  );
}

/** A cuckoo filter with the sample keys that it takes. */
function filled(): { engine: Engine; keys: readonly string[]; slots: readonly number[] } {
  const engine = createEngine(DEFAULTS);
  const keys: string[] = [];
  let state = emptyTable(DEFAULTS);
  for (let i = 0; keys.length < KEYS; ++i) {
    const key = sampleKey(birds(DEFAULTS.seed), i);
    const events = engine.run('insert', key);
    if (endOf(events).result === 'added') keys.push(key);
    state = play(state, events);
  }
  return { engine, keys, slots: fingerprintsOf(state) };
}

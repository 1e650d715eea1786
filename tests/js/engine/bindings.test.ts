// The border as it was built: what each WebAssembly module asks for and offers, by the package's own side of embind.
// Another Emscripten that binds in another way, or asks for more, is found here.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { link } from '../../../js/src/engine/embind';

type Groups = Record<string, Record<string, unknown>> & { memory: WebAssembly.Memory };

const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(join(__dirname, `../../../build/wasm/bindings/${name}.wasm`)));

/** The names of an interface in bindings.ts that stand for calls or numbers. */
function namesOf(type: string): string[] {
  const text = readFileSync(join(__dirname, '../../../js/src/engine/bindings.ts'), 'utf8');
  const body = new RegExp(`interface ${type} [^{]*\\{(.*?)\\n\\}`, 's').exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, name]) => name ?? '');
}

const OBJECT = namesOf('ObjectCalls');
const ABSENT = [...OBJECT, ...namesOf('AbsentCalls')];
const SAVED = namesOf('SavedCalls');
const FILTER = [...ABSENT, ...SAVED, ...namesOf('FilterCalls')];
const VALUED = [...OBJECT, ...SAVED, ...namesOf('ValuedCalls')];
const ONE_TABLE = ['merge', 'beginBuilding', 'finishBuilding', 'doublings', 'readCounts', 'beginLoad'];
const VALUE_BITS: Record<string, number> = { expiring: 2, values: 3, counter: 3 };
const SHARED = [
  'memory',
  'scratch',
  'format',
  'wanted',
  'sizes',
  'hash',
  'layer',
  'counts',
  'failure',
  'longKey',
  'plan',
  'filter',
];

describe.each(['core', 'trace'])('the module %s', (name) => {
  test('asks for what the package gives it, and nothing else', () => {
    const wanted = WebAssembly.Module.imports(compiled(name)).map((each) => `${each.module}.${each.name}`);
    expect(wanted.sort()).toEqual([
      'env._embind_register_constant',
      'env._embind_register_function',
      'env.grow',
      'env.now',
    ]);
  });
});

test('the module shared asks for its memory besides, and binds every call of its own', () => {
  const wanted = WebAssembly.Module.imports(compiled('shared')).map((each) => `${each.module}.${each.name}`);
  expect(wanted.sort()).toEqual([
    'env._embind_register_constant',
    'env._embind_register_function',
    'env.memory',
    'env.now',
  ]);
  const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true });
  const { imports, start } = link();
  const instance = new WebAssembly.Instance(compiled('shared'), { env: { ...imports['env'], memory } });
  const exports = instance.exports as Record<string, unknown>;
  const { __heap_base: end, __stack_pointer: stack } = exports as Record<string, WebAssembly.Global>;
  if (stack && end) stack.value = Number(end.value) + 65536;
  (exports['__wasm_init_tls'] as (at: number) => void)(Number(end?.value) + 65536);
  const bindings = start({ exports: { ...exports, memory } } as unknown as WebAssembly.Instance);
  expect(Object.keys((bindings as Groups)['shared'] ?? {}).sort()).toEqual(namesOf('SharedCalls').sort());
});

function started(name: string, { imports, start } = link()): unknown {
  return start(new WebAssembly.Instance(compiled(name), imports));
}
const whole = link();
const core = started('core', whole);

describe.each([
  ['core', [], FILTER, core],
  [
    'scalable',
    ['layers'],
    FILTER.filter((name) => !ONE_TABLE.includes(name)),
    started('scalable', whole.part('scalable')),
  ],
  [
    'expiring',
    [],
    [...new Set([...ABSENT, ...SAVED, ...namesOf('ExpiringCalls')])],
    started('expiring', whole.part('expiring')),
  ],
  ['values', [], [...VALUED, ...namesOf('ValuesCalls')], started('values', whole.part('values'))],
  ['counter', [], [...VALUED, ...namesOf('CounterCalls')], started('counter', whole.part('counter'))],
  ['trace', ['trace'], FILTER, started('trace')],
] as [string, string[], string[], Groups][])('what %s binds', (name, own, filter, groups) => {
  test('every group and every call that the package knows, and no other', () => {
    expect(Object.keys(groups).sort()).toEqual([...SHARED, ...own].sort());
    expect(Object.keys(groups['filter'] ?? {}).sort()).toEqual(filter.sort());
    const expected = { layers: namesOf('LayerCalls'), trace: namesOf('TraceCalls') };
    for (const group of own)
      expect(Object.keys(groups[group] ?? {}).sort()).toEqual(
        expected[group as keyof typeof expected].sort(),
      );
    for (const [call, bound] of Object.entries(groups['filter'] ?? {}))
      expect([call, typeof bound]).toEqual([call, 'function']);
  });

  test('binds constants as they are', () => {
    const { scratch, format, wanted, sizes, counts, memory } = groups;
    const hasValues = ['expiring', 'values', 'counter'].includes(name);
    expect(format).toEqual({ headerBytes: hasValues ? 88 : 72, trailerBytes: 8 });
    expect(scratch).toMatchObject({ batchLength: 4096, bytesLength: 65_536 });
    const places = ['words', 'numbers', 'answers', 'bytes'].map((part) => Number(scratch?.[part]));
    expect(places.map((place, i) => place - (places[i - 1] ?? 0)).slice(1)).toEqual([32_768, 16_384, 4096]);
    expect(Math.max(...places) + 65_536).toBeLessThan(memory.buffer.byteLength);
    for (const layout of [wanted, sizes, counts]) {
      const offsets = Object.entries(layout ?? {}).filter(([field]) => field !== 'kickCounts');
      expect(new Set(offsets.map(([, at]) => at)).size).toBe(offsets.length);
      for (const [, at] of offsets) expect(Number.isInteger(at)).toBe(true);
    }
    expect(counts?.['kickCounts']).toBe(17);
  });

  test('answers calls of embind: numbers, and booleans as 0 or 1', () => {
    const { filter: calls, failure } = groups as unknown as Record<
      string,
      Record<string, (...given: unknown[]) => unknown>
    >;
    const valueBits = VALUE_BITS[name] ?? 0;
    const wanted = { ...groups['wanted'] } as Record<string, number>;
    const plan = (capacity: number): unknown => {
      const fields = new Float64Array(groups.memory.buffer, Number(groups['scratch']?.['words']));
      for (const [field, at] of Object.entries(wanted))
        fields[at] = /^(max|bucket|finger|semi)/.test(field) ? -1 : 0;
      const given = { capacity, falsePositiveRate: 0.01, isXor: Number(name === 'scalable'), valueBits };
      for (const [field, value] of Object.entries(given)) fields[wanted[field] as number] = value;
      return calls?.['plan']?.();
    };
    expect(plan(0)).toBe(0);
    expect(failure?.['field']?.()).toBe(1);
    expect(plan(100)).toBe(1);
    const address = calls?.['create']?.(false, 2);
    expect(address).toEqual(expect.any(Number));
    expect(address).not.toBe(0);
    expect(calls?.['falsePositiveRate']?.(address)).toBe(0);
    calls?.['destroy']?.(address);
  });
});

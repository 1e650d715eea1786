// The package in Chromium, without a bundler and under a strict content security policy: the program of tests/world/hosts
// in pages and workers, isolated and not; and problems that others reported of WebAssembly in browsers, each with its source.
// `npm run test:firefox` runs the same program in Firefox.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { inChromium } from '../support/chromium';
import { checkedInNode, hostFiles, type Checked } from './hosts';

const DIST = join(__dirname, '../../../dist');

/** Without what WebAssembly needs. */
const STRICT = "default-src 'none'; script-src 'self'";
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const TRUSTED = `${POLICY}; require-trusted-types-for 'script'; trusted-types 'none'`;
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** By the first part of a path: the headers of its page and of what that loads. */
const HEADERS: Record<string, Record<string, string>> = {
  isolated: { 'content-security-policy': POLICY, ...ISOLATED },
  plain: { 'content-security-policy': POLICY },
  strict: { 'content-security-policy': STRICT },
  trusted: { 'content-security-policy': TRUSTED },
  free: {},
  'free-isolated': ISOLATED,
};

const files = hostFiles();
files.set('/cuckoofilter-wasm.min.js', readFileSync(join(DIST, 'cuckoofilter-wasm.min.js')));
files.set('/shared.wasm', readFileSync(join(DIST, 'wasm/shared.wasm')));
files.set('/core.wasm', readFileSync(join(DIST, 'wasm/core.wasm')));
files.set(
  '/service-worker.js',
  `import { CuckooFilter } from './index.js';
  const filter = CuckooFilter.from(['alice', 'é']);
  onmessage = ({ data, source }) => source.postMessage(filter.has(data));`,
);
files.set(
  '/terminated-worker.js',
  `import { SharedCuckooFilter } from '/shared.js';
  onmessage = ({ data: { shared, acknowledged, turn } }) => {
    const filter = SharedCuckooFilter.attach(shared);
    postMessage(filter.thread);
    // The loop never yields to the event loop, and Chromium lets it run on for two seconds after terminate().
    for (let i = 0; i < 300_000 && filter.tryAdd('key ' + i + ' of turn ' + turn) === 'added';)
      Atomics.store(acknowledged, turn, ++i);
  };`,
);

const requests: string[] = [];
const served = inChromium((path) => {
  const [, host = '', file = ''] = /^\/([\w-]+)(\/.*)$/.exec(path) ?? [];
  requests.push(file);
  const headers = HEADERS[host];
  if (headers === undefined) return undefined;
  if (file === '/') return ['text/html', '<!doctype html><meta charset="utf-8"><title>test</title>', headers];
  const body = files.get(file);
  const type = file.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
  return [type, typeof body === 'string' ? body.replaceAll("from '/", `from '/${host}/`) : body, headers];
});

/** Runs `body`, the source of an async function, in a page of `host`, in which `base` is the folder of the package. */
async function inPage<T>(host: string, body: string, complaints: string[] = []): Promise<T> {
  const page: Page = await served.browser.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  try {
    await page.goto(`${served.address}${host}/`);
    return await page.evaluate(`(async () => { const base = '/${host}'; ${body} })()`);
  } finally {
    await page.close();
  }
}

interface Results {
  readonly isolated: boolean;
  readonly page: Checked;
  readonly worker: Checked;
  readonly threads: Record<string, unknown>;
}

describe('every class', () => {
  let inNode: Checked;
  const results: Record<string, Results> = {};
  const complaints: string[] = [];

  beforeAll(async () => {
    const run = "return (await import(base + '/hosts/page.mjs')).results();";
    inNode = await checkedInNode();
    for (const host of ['isolated', 'plain']) results[host] = await inPage<Results>(host, run, complaints);
  });

  test('works in Node as an exact model does', () => {
    expect(inNode.failures).toEqual([]);
  });

  test.each([
    ['isolated', 'page'],
    ['isolated', 'worker'],
    ['plain', 'page'],
    ['plain', 'worker'],
  ] as const)('works in the same way and saves the same bytes, %s, in a %s', (host, where) => {
    const { failures, hashes } = results[host]?.[where] as Checked;
    expect(failures).toEqual([]);
    const { SharedCuckooFilter, ...others } = inNode.hashes;
    expect(hashes).toEqual(host === 'isolated' ? { SharedCuckooFilter, ...others } : others);
    expect(results[host]?.isolated).toBe(host === 'isolated');
  });

  test('a page and its workers add strings to one filter at once, and lose none', () => {
    const told = Array.from({ length: 3 }, () => ({ missed: 0, isShared: false }));
    expect(results['isolated']?.threads).toEqual({ missed: 0, told, isWhole: true });
  });

  test('a page that is not isolated is told which headers it needs', () => {
    const { code, message } = results['plain']?.threads ?? {};
    expect(code).toBe('no-shared-memory');
    expect(message).toMatch(/Cross-Origin-Embedder-Policy/);
  });

  test('pages fetch only the modules of the package, and the browser reports no problem', () => {
    expect(requests.filter((path) => !files.has(path) && path !== '/' && path !== '')).toEqual([]);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });
});

describe('a content security policy', () => {
  test('that forbids WebAssembly causes an error that says what to add, and a reader works under it', async () => {
    const bytes = JSON.stringify(Array.from(CuckooFilter.from(['a']).serialize()));
    const said = await inPage(
      'strict',
      `const { CuckooFilter, preload } = await import(base + '/index.js');
      const { FilterReader } = await import(base + '/reader.js');
      const said = [];
      try { new CuckooFilter({ capacity: 1 }); } catch (error) { said.push(error.message); }
      try { await preload(); } catch (error) { said.push(error.message); }
      return [...said, new FilterReader(Uint8Array.from(${bytes})).has('a')];`,
    );
    const message =
      "the content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src. Without " +
      'it, use FilterReader from cuckoofilter-wasm/reader';
    expect(said).toEqual([message, message, true]);
  });

  // opendocument-app/OpenDocument.core#709, emscripten-core/emscripten#12910: embind makes functions from strings.
  test('that requires trusted types and forbids eval works', async () => {
    const answers = await inPage(
      'trusted',
      `const { CuckooFilter } = await import(base + '/index.js');
      const { CuckooValues } = await import(base + '/values.js');
      return [CuckooFilter.from(['é']).has('é'), new CuckooValues({ capacity: 9, valueBits: 3 }).set('a', 5).get('a')];`,
    );
    expect(answers).toEqual([true, [5]]);
  });
});

describe('reported of WebAssembly in browsers:', () => {
  // linera-io/linera-protocol#4235: Firefox compiles no module from shared memory.
  test('a module whose bytes are in shared memory is taken', async () => {
    const answers = await inPage(
      'free-isolated',
      `const compile = WebAssembly.compile;
      WebAssembly.compile = async (bytes) => {
        if ((bytes.buffer ?? bytes) instanceof SharedArrayBuffer) throw new TypeError('must not be shared');
        return compile(bytes);
      };
      const answers = [];
      for (const [entry, name] of [['index', 'core'], ['shared', 'shared']]) {
        const { init, CuckooFilter, SharedCuckooFilter } = await import(base + '/' + entry + '.js');
        const bytes = await (await fetch(base + '/' + name + '.wasm')).bytes();
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
        shared.set(bytes);
        await init(shared);
        answers.push((CuckooFilter ?? SharedCuckooFilter).from(['é']).has('é'));
      }
      return answers;`,
    );
    expect(answers).toEqual([true, true]);
  });

  // jsdom/webidl-conversions#57: the class is hidden on a page that is not isolated, but objects of it exist.
  test('shared bytes are keys where SharedArrayBuffer is hidden', async () => {
    const answers = await inPage(
      'free',
      `const { CuckooFilter } = await import(base + '/index.js');
      const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      const view = new Uint8Array(buffer, 8, 3);
      view.set([1, 2, 3]);
      const filter = new CuckooFilter({ capacity: 9 }).add(view).add(buffer);
      return [typeof SharedArrayBuffer, filter.has(Uint8Array.of(1, 2, 3)), filter.has(buffer), filter.size];`,
    );
    expect(answers).toEqual(['undefined', true, true, 2]);
  });

  // greggman/webgl-memory#20, Level/level-js#82: another frame's arrays are instances of other classes.
  test('keys, saved filters and shared filters of another frame are taken', async () => {
    const answers = await inPage(
      'free-isolated',
      `const frame = document.body.appendChild(document.createElement('iframe'));
      await new Promise((resolve) => { frame.onload = resolve; frame.src = base + '/'; });
      const other = frame.contentWindow;
      const entries = (at) => at.eval("Promise.all([import('" + base + "/index.js'), import('" + base + "/shared.js')])");
      const [{ CuckooFilter }, { SharedCuckooFilter }] = await entries(window);
      const [theirs, theirShared] = await entries(other);
      const filter = CuckooFilter.deserialize(theirs.CuckooFilter.from(['é', 'b']).serialize());
      const keys = other.eval("[Uint8Array.of(1, 2), Uint8Array.of(3).buffer, 'é']");
      const shared = new theirShared.SharedCuckooFilter({ capacity: 100, falsePositiveRate: 1e-6 });
      shared.addMany(['first', 'é']);
      const here = SharedCuckooFilter.attach(shared.share());
      here.addMany(['日本', 'x'.repeat(40)]);
      return [
        filter.has('é'), CuckooFilter.from(keys).containsMany([Uint8Array.of(1, 2), Uint8Array.of(3), 'é']).join(),
        CuckooFilter.from(other.eval('new BigInt64Array([5n, -1n])')).has(-1),
        here.has('first'), here.has('é'), shared.has('日本'), shared.has('x'.repeat(40)), shared.size,
      ];`,
    );
    expect(answers).toEqual([true, '1,1,1', true, true, true, true, true, 4]);
  });

  // microsoft/onnxruntime#27317: code in a worker from a Blob has no address to load anything from.
  test('the one file works in a classic worker made of a Blob', async () => {
    const answer = await inPage(
      'free',
      `const code = await (await fetch(base + '/cuckoofilter-wasm.min.js')).text();
      const work = code + ';postMessage(CuckooFilters.CuckooFilter.from(["é"]).has("é"))';
      const worker = new Worker(URL.createObjectURL(new Blob([work])));
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      });`,
    );
    expect(answer).toBe(true);
  });

  // yukiyokotani/office-open-xml-viewer#1533, yschimke/compose-ai-tools#2319: reading a store there throws at once.
  test('the one file works in a sandboxed frame, whose origin is null', async () => {
    const answer = await inPage(
      'free',
      `const code = await (await fetch(base + '/cuckoofilter-wasm.min.js')).text();
      const use = code + ';parent.postMessage([origin, CuckooFilters.CuckooFilter.from(["é"]).has("é")], "*")';
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      const script = document.createElement('script');
      script.textContent = use;
      frame.srcdoc = script.outerHTML;
      const told = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
      document.body.append(frame);
      return told;`,
    );
    expect(answer).toEqual(['null', true]);
  });

  // w3c/webextensions#39: extensions have a service worker in place of a page.
  test('a filter works in a service worker', async () => {
    const answers = await inPage(
      'free',
      `await navigator.serviceWorker.register(base + '/service-worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const ask = (key) => new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true });
        active.postMessage(key);
      });
      return [await ask('é'), await ask('never')];`,
    );
    expect(answers).toEqual([true, false]);
  });

  // w3c/webcrypto#213: Blob, fetch and crypto refuse shared memory, and once BigUint64Array.
  test('what a shared filter returns may be hashed, sent and put into a Blob; a random seed needs no BigUint64Array', async () => {
    const answers = await inPage(
      'free-isolated',
      `const { SharedCuckooFilter } = await import(base + '/shared.js');
      const getRandomValues = crypto.getRandomValues.bind(crypto);
      crypto.getRandomValues = (array) => {
        if (array instanceof BigUint64Array) throw new DOMException('not an integer array type', 'TypeMismatchError');
        return getRandomValues(array);
      };
      const filter = SharedCuckooFilter.from(['é'], { capacity: 9, seed: 'random' });
      const bytes = filter.serialize();
      await crypto.subtle.digest('SHA-256', bytes);
      const sent = await new Response(new Blob([bytes, filter.containsMany(['é']), filter.countMany(['é'])])).bytes();
      new TextDecoder().decode(bytes);
      return [sent.length - bytes.length, structuredClone(bytes).length === bytes.length, filter.has('é')];`,
    );
    expect(answers).toEqual([5, true, true]);
  });

  // tweag/rust-wasm-threads#5, wasm-bindgen/wasm-bindgen#166: what cannot be cloned, and what a clone has lost.
  test('a clone of a filter, and a shared filter in another page or channel, are refused by name', async () => {
    const answers = await inPage(
      'free-isolated',
      `const { SharedCuckooFilter } = await import(base + '/shared.js');
      const filter = SharedCuckooFilter.from(['é']);
      const codeOf = (action) => { try { return action(); } catch (error) { return error.code ?? error.name; } };
      const channel = new BroadcastChannel('test');
      const other = new BroadcastChannel('test');
      const told = new Promise((resolve) => {
        other.onmessage = ({ data }) => resolve(data);
        other.onmessageerror = ({ data }) => resolve(data);
      });
      channel.postMessage(filter.share());
      const received = await told;
      const has = SharedCuckooFilter.prototype.has;
      return [
        codeOf(() => has.call(structuredClone(filter), 'é')),
        codeOf(() => SharedCuckooFilter.attach(structuredClone(filter))),
        received === null ? codeOf(() => SharedCuckooFilter.attach(received)) : SharedCuckooFilter.attach(received).has('é'),
      ];`,
    );
    expect(answers).toEqual(['invalid-argument', 'not-shared', 'not-shared']);
  });
});

// emscripten-core/emscripten#18675: after terminate(), a busy worker of Chromium runs on for two seconds.
test('workers that run on after terminate() lose no key when their places are given to others', async () => {
  const body = `
    const { SharedCuckooFilter } = await import(base + '/shared.js');
    const filter = new SharedCuckooFilter({ capacity: 2_000_000, maxThreads: 2 });
    const acknowledged = new Int32Array(new SharedArrayBuffer(64));
    const begin = (turn) => new Promise((resolve) => {
      const worker = new Worker(base + '/terminated-worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve({ worker, thread: data });
      worker.postMessage({ shared: filter.share(), acknowledged, turn });
    });
    for (let turn = 0; turn < 5; ++turn) {
      const { worker, thread } = await begin(turn);
      while (Atomics.load(acknowledged, turn) < 1000) await new Promise((resolve) => setTimeout(resolve));
      worker.terminate();
      await filter.reclaim(thread);
    }
    let missed = 0;
    for (let turn = 0; turn < 5; ++turn)
      for (let i = 0; i < acknowledged[turn]; ++i) if (!filter.has('key ' + i + ' of turn ' + turn)) ++missed;
    return missed;`;
  expect(await inPage<number>('free-isolated', body)).toBe(0);
});

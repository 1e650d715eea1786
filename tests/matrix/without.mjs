// What engines without WebAssembly run: the reader answers, and the class says what to do instead.
import { CuckooFilter } from 'cuckoofilter-wasm';

import { answers } from './reader.mjs';

let told = 'the class was made';
try {
  new CuckooFilter({ capacity: 10 });
} catch ({ message }) {
  const asExpected = /^WebAssembly does not start .*FilterReader from cuckoofilter-wasm\/reader/.test(
    message,
  );
  told = asExpected ? 'the class refused' : message;
}
console.log(`${answers()}, and ${told}`);

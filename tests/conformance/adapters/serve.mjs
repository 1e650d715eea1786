// Speaks the suite's lines of JSON over standard input and output (see ../README.md) for an implementation in Node.
import { createInterface } from 'node:readline';

export const bytesOf = (hex) => (hex === undefined ? undefined : new Uint8Array(Buffer.from(hex, 'hex')));
export const hexOf = (bytes) => Buffer.from(bytes).toString('hex');

/** Answers every request by the method that it names. An error with a code of the format is an answer too. */
export async function serve(methods) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: name, ...request } = JSON.parse(line);
    let answer;
    try {
      answer = await methods[name](request);
    } catch (error) {
      const isRefused = ['FormatError', 'Refusal'].includes(error.constructor.name);
      answer = isRefused ? { error: error.code, rule: error.rule } : { failure: error.stack };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

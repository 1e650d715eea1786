// Prints what a built function answers at `/`, as one line. Argument: its file.
import { pathToFileURL } from 'node:url';

const { reqHandler, default: handler = reqHandler } = await import(pathToFileURL(process.argv[2]).href);
const response = await handler(new globalThis.Request('http://localhost/'), {});
console.log((await response.text()).replaceAll(/\s+/g, ' '));
process.exit(); // A server's own timers may go on.

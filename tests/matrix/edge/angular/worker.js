import { reqHandler } from './dist/server/server.mjs';

export default { fetch: reqHandler };

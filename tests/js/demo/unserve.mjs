// Jest calls this after a run whose page serve.mjs has served.
export { end as default } from './serve.mjs';

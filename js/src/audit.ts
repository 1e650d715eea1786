// cuckoofilter-wasm/audit: its public names, and nothing else.
export { audited, AuditError, type AuditErrorCode } from './abilities/audit.js';
export type { Key } from './keys/key.js';

// The language of the page. Invariant: components read words from here alone, so that a change of language reaches all.
import { signal } from '@preact/signals';
import { en, type Words } from './en';

export type { Words } from './en';
export const words = signal<Words>(en);

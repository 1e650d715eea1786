// What the page remembers on the device: language, theme, score and quiz. Nothing leaves the device.
// Invariant: a browser that forbids storage, or holds nonsense there, gives the defaults.
import type { Score } from '../model/lesson';
import { parsedQuiz, type Quiz } from '../model/quiz';

const PREFIX = 'cuckoo-filter.';

export function remember(name: 'language' | 'theme', value: string): void {
  write(name, value);
}

export function recall(name: 'language' | 'theme'): string | null {
  return read(name);
}

export function rememberScore(score: Score): void {
  write('score', JSON.stringify(score));
}

export function recallScore(): Score {
  try {
    const value: unknown = JSON.parse(read('score') ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, right]) => typeof right === 'boolean'));
  } catch {
    return {};
  }
}

export function rememberQuiz(quiz: Quiz): void {
  write('quiz', JSON.stringify(quiz));
}

export function recallQuiz(count: number): Quiz {
  return parsedQuiz(read('quiz'), count);
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows forbid it: the page works without.
  }
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

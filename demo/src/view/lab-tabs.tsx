// The two halves of the lab: stepping and filling, and comparing.
import { words } from '../i18n';
import { addressOf } from './header';
import '../styles/rooms.css';

const HALVES = ['lab', 'compare'] as const;

export function LabTabs({ place }: { place: (typeof HALVES)[number] }) {
  const t = words.value.lab;
  return (
    <nav class="lab-tabs" aria-label={t.tabs}>
      {HALVES.map((half) => (
        <a key={half} href={addressOf(half)} aria-current={place === half ? 'page' : undefined}>
          {t.halves[half]}
        </a>
      ))}
    </nav>
  );
}

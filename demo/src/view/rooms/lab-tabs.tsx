// The parts of the lab: stepping and filling, comparing, and a filter of the visitor's own.
import { words } from '../../i18n';
import { LAB } from '../../model/places';
import { addressOf } from '../header';
import '../../styles/places/rooms.css';

export function LabTabs({ place }: { place: (typeof LAB)[number] }) {
  const t = words.value.lab;
  return (
    <nav class="lab-tabs" aria-label={t.tabs}>
      {LAB.map((part) => (
        <a key={part} href={addressOf(part)} aria-current={place === part ? 'page' : undefined}>
          {t.parts[part]}
        </a>
      ))}
    </nav>
  );
}

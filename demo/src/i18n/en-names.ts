// The words of scene 0, the cuckoo hash table, in English.
import type { Told } from '../model/names';

const quoted = (name: string): string => `“${name}”`;
const place = (slot: number, perTable: number): string =>
  `place ${slot % perTable} of table ${slot < perTable ? 0 : 1}`;

export const enNames = {
  title: 'Before the filter: the cuckoo hash table',
  lead: 'Two hash functions give every name two places, one in each table. A new name takes one of its places. Whoever lies there is thrown out, as a young cuckoo throws out eggs, and moves to its other place.',
  number: 'Scene 0',
  box: 'A name',
  insert: 'Put in',
  lookUp: 'Look up',
  next: 'Put in the next sample name',
  loop: 'Go on to a loop',
  clear: 'Start again',
  tables: 'Two tables of names',
  table: (number: number) => `Table ${number}`,
  slot: (slot: number, perTable: number, name: string | null, other: number) =>
    name === null
      ? `${place(slot, perTable)}, empty`
      : `${place(slot, perTable)}: ${name}, whose other place is ${place(other, perTable)}`,
  hand: 'On the way',
  told: (told: Told, slots: readonly (string | null)[], places: readonly number[]): string => {
    const perTable = slots.length / 2;
    switch (told.kind) {
      case 'start':
        return 'Type a name and put it in, or take the next sample name.';
      case 'places':
        return `${quoted(told.name)} has two places: ${places.map((slot) => place(slot, perTable)).join(' and ')}.`;
      case 'placed':
        return `${quoted(told.name)} goes to ${place(told.slot, perTable)}, which is empty. Done.`;
      case 'thrown':
        return `${quoted(told.name)} takes ${place(told.slot, perTable)}. ${quoted(told.out)} is thrown out, and has to go to its other place.`;
      case 'loop':
        return `After ${told.moves} moves nobody has found an empty place: the names go round in a loop. So all moves are taken back.`;
      case 'rehash':
        return `Two other functions are drawn, and all ${told.names} names are placed anew. This is called a rehash.`;
      case 'stuck':
        return `Other functions were drawn 64 times, and no draw placed every name. Start again.`;
      case 'known':
        return `${quoted(told.name)} is in already.`;
      case 'lookup':
        return slots.includes(told.name)
          ? `${quoted(told.name)} is found. It can only be in ${places.map((slot) => place(slot, perTable)).join(' or ')}, so two looks are enough.`
          : `${quoted(told.name)} is not there: neither ${places.map((slot) => place(slot, perTable)).join(' nor ')} holds it. Two looks are enough.`;
    }
  },
  back: 'Back',
  forward: 'Forward',
  play: 'Play',
  pause: 'Pause',
  step: (at: number, of: number) => `${at} of ${of}`,
  fade: 'Forget the names',
  remember: 'Show the names again',
  filterTitle: 'From the table to the filter',
  filter:
    'Names take memory. A cuckoo filter keeps only a short fingerprint of each. But whoever is thrown out no longer has a name, so the second place cannot be computed from it. It is computed from the first place and the fingerprint instead: that is the XOR of the next scenes.',
  noRehash: 'And a rehash would need the names. So a filter never rehashes: when it is full, it says so.',
  toScene: 'On to scene 1: a fingerprint, not a name',
  dials: 'How full can it get?',
  dialsLead:
    'One table of 16,384 places is filled until the first key is refused. More functions or more slots per bucket leave more ways out.',
  functions: 'Functions',
  slots: 'Slots per bucket',
  plot: 'Load at the first refusal',
  load: 'load factor when full',
  lines: (functions: number) => `${functions} functions`,
  articles: 'published figures, 2 functions',
  result: (functions: number, slots: number, load: string) =>
    `${functions} functions, ${slots === 1 ? '1 slot' : `${slots} slots`} per bucket: full at ${load}.`,
  article: (percent: number) => `Published figures say ${percent} %.`,
  filling: 'It is being filled.',
};

// The words that no table needs at once, in English: loaded with the first panel or the first place but the start.
import { enBoards, enRecordings } from './en-boards';
import { enFile } from './en-file';
import { enHidden } from './en-hidden';
import { enNames } from './en-names';
import { enPlots } from './en-plots';
import { enRooms } from './en-rooms';
import { enSheet } from './en-sheet';
import { enSpace } from './en-space';
import { enLesson, enTitles } from './en-titles';

export const enRest = {
  scenes: enTitles,
  lesson: enLesson,
  boards: enBoards,
  recordings: enRecordings,
  names: enNames,
  ...enPlots,
  ...enSpace,
  ...enRooms,
  ...enSheet,
  ...enHidden,
  ...enFile,
};

// The words that no table needs at once, in English: loaded with the first panel or the first place but the start.
import { enBoards, enHidden } from './en-boards';
import { enFile, enNames, enRooms, enSheet } from './en-rooms';
import { enPlots, enSpace } from './en-measures';
import { enSteps } from './en-steps';
import { enLesson, enTitles } from './en-titles';

export const enRest = {
  steps: enSteps,
  scenes: enTitles,
  lesson: enLesson,
  boards: enBoards,
  names: enNames,
  ...enPlots,
  ...enSpace,
  ...enRooms,
  ...enSheet,
  ...enHidden,
  ...enFile,
};

// The words of every place but the start, in English: loaded with the first such place.
import { enBoards, enRecordings } from './en-boards';
import { enFile } from './en-file';
import { enHidden } from './en-hidden';
import { enNames } from './en-names';
import { enPlots } from './en-plots';
import { enRooms } from './en-rooms';
import { enSheet } from './en-sheet';
import { enSpace } from './en-space';

export const enRest = {
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

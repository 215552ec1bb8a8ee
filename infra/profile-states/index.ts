export { StateArchiveInvalid, StateArchiveTooLarge } from './invalid.ts';
export {
  cookiesFile,
  dataFolder,
  manifestFile,
  originName,
  sessionStorageFile,
  stateFormat,
  type Manifest,
} from './layout.ts';
export { packFiles, packState, type StateFile } from './pack.ts';
export { createProfileStates } from './sealed.ts';
export { ExportInvalid, keysOf, openExport, sealExport, type KeyOf } from './export.ts';
export { trimState } from './trim.ts';
export { StateNotKept, StateUnreadable, type ProfileStates, type SealedState } from './types.ts';
export { UnvisitedSites } from './unvisited.ts';
export { inspectState, readState, surveyState, unpackState } from './unpack.ts';

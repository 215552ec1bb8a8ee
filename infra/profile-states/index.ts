export { StateArchiveInvalid } from './invalid.ts';
export {
  cookiesFile,
  dataFolder,
  manifestFile,
  originName,
  sessionStorageFile,
  stateFormat,
  type Manifest,
  type Site,
  type StoredCookies,
  type StoredSessions,
} from './layout.ts';
export type { UnpackLimits } from './limits.ts';
export { packFiles, packState, type StateFile } from './pack.ts';
export { createProfileStates, type ProfileStatesOptions } from './sealed.ts';
export { ExportInvalid, keysOf, openExport, sealExport, type KeyOf } from './export.ts';
export { trimState, type Trim, type TrimmedState } from './trim.ts';
export {
  StateNotKept,
  StateUnreadable,
  type ProfileStates,
  type SealFailure,
  type SealedState,
} from './types.ts';
export { UnvisitedSites } from './unvisited.ts';
export { inspectState, readState, surveyState, unpackState } from './unpack.ts';

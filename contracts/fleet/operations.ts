import { Type, closed, type Static } from '../schema.ts';
import type { Operation } from '../operations.ts';
import * as live from '../resources/live.ts';
import * as session from '../resources/session.ts';

/** What each operation takes and gives on the way to a browser and back; the bodies of the public routes. */
export const operationSchemas = {
  navigate: { input: session.Navigate, result: session.NavigateResult },
  interact: { input: session.Interact, result: session.InteractResult },
  wait: { input: session.Wait, result: session.WaitResult },
  state_capture: { input: Type.Unknown(), result: session.StateResult },
  capture: { input: session.Capture, result: session.CaptureResult },
  extract: { input: session.Extract, result: session.ExtractResult },
  search: { input: session.Search, result: session.SearchResult },
  login: { input: session.Login, result: session.LoginResult },
} as const satisfies Record<Operation, unknown>;

export type OperationInput<O extends Operation> = Static<(typeof operationSchemas)[O]['input']>;
export type OperationResult<O extends Operation> = Static<(typeof operationSchemas)[O]['result']>;

/**
 * What is asked of a browser beside its operations. It claims nothing, works while an operation is at work, and never ends the
 * session. Contents of files go as bytes, by routes of their own.
 */
export const liveSchemas = {
  page_state: { input: Type.Null(), result: live.PageState },
  cookies: { input: Type.Null(), result: closed({ cookies: Type.Array(session.Cookie) }) },
  /** All of them, or none. */
  cookies_set: { input: live.SetCookies, result: Type.Null() },
  /** Resolves when the other page has taken the place of the present one. */
  history: { input: live.GoInHistory, result: Type.Null() },
  /** Those that are whole. */
  downloads: { input: Type.Null(), result: closed({ files: Type.Array(live.DownloadEntry) }) },
} as const;

export type LiveOperation = keyof typeof liveSchemas;
export const liveOperations = Object.keys(liveSchemas) as [LiveOperation, ...LiveOperation[]];
export type LiveInput<O extends LiveOperation> = Static<(typeof liveSchemas)[O]['input']>;
export type LiveResult<O extends LiveOperation> = Static<(typeof liveSchemas)[O]['result']>;

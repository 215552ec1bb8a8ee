import { Type, type Static } from '../schema.ts';
import type { Operation } from '../operations.ts';
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

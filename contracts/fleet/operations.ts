import { Type, closed, nullable, type Static } from '../schema.ts';
import type { Operation } from '../operations.ts';
import { idSchema } from '../ids.ts';
import * as live from '../resources/live.ts';
import { Observation } from '../resources/observation.ts';
import { Login, LoginResult } from '../resources/session-login.ts';
import * as session from '../resources/session.ts';
import { MetElement, Target } from '../resources/target.ts';

/** Input and result of each operation of a browser: the bodies of the public routes. */
export const operationSchemas = {
  navigate: { input: session.Navigate, result: session.NavigateResult },
  /**
   * `strict`: if several elements fit equally well, none is acted on and the failure names two of them; otherwise the first
   * visible one is used. Agents act strictly, because their targets were read from a page. Only the service itself sets it, and
   * then gets the matched element.
   *
   * `only_on`: restricts where typed, chosen or uploaded data may go: documents of these sites, and forms sent to them, by
   * registrable domain, or `=` and a host; with `https://` in front only over https. Elsewhere the action fails with the reason
   * `elsewhere`, as a login does outside of its `site`.
   *
   * `found_within_ms`, with `strict`: time limit of finding the element; a found one has the whole time to become ready.
   */
  interact: {
    input: Type.Object({
      ...session.Interact.properties,
      strict: Type.Optional(Type.Boolean()),
      only_on: Type.Optional(Type.Array(Type.String(), { maxItems: 300 })),
      found_within_ms: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    result: closed({ ...session.InteractResult.properties, met: Type.Optional(MetElement) }),
  },
  wait: { input: session.Wait, result: session.WaitResult },
  state_capture: { input: Type.Unknown(), result: session.StateResult },
  /** `keep_as`: the browser stores the content under this id, and the result has none. Only the service itself sets it. */
  capture: {
    input: Type.Object({ ...session.Capture.properties, keep_as: Type.Optional(idSchema('capture')) }),
    result: session.CaptureResult,
  },
  extract: { input: session.Extract, result: session.ExtractResult },
  search: { input: session.Search, result: session.SearchResult },
  login: { input: Login, result: LoginResult },
} as const satisfies Record<Operation, unknown>;

/** Failure of an action or a login that is allowed only on other sites. */
export const elsewhere = 'Not done: what it brings may not go to the site of this page.';

export type OperationInput<O extends Operation> = Static<(typeof operationSchemas)[O]['input']>;
export type OperationResult<O extends Operation> = Static<(typeof operationSchemas)[O]['result']>;

/**
 * Live requests to a browser. They claim nothing, run beside an operation, and never end the session. Contents of files are sent
 * as bytes, by separate routes.
 */
export const liveSchemas = {
  page_state: { input: Type.Null(), result: live.PageState },
  cookies: { input: Type.Null(), result: closed({ cookies: Type.Array(session.Cookie) }) },
  /** Sets all of them, or none. */
  cookies_set: { input: live.cookiesToSet, result: Type.Null() },
  /** Resolves once the page is replaced. */
  history: { input: live.stepInHistory, result: Type.Null() },
  /** Completed downloads. */
  downloads: { input: Type.Null(), result: closed({ files: Type.Array(live.DownloadEntry) }) },
  /** The visible content of the active page, with a `ref` for each interactive element. */
  observe: { input: Type.Null(), result: Observation },
  /** The element that a strict action on the target would act on, waiting for it; null if CSS cannot find it again. */
  meet: { input: Target, result: nullable(MetElement) },
  /** The viewport of the active page as a JPEG of at most 390 by 844, with secret fields covered. Not stored. */
  picture: {
    input: Type.Null(),
    result: closed({ data: Type.String(), media_type: Type.Literal('image/jpeg') }),
  },
  /** A stored capture (`keep_as`), or null: a session keeps the newest 20, of 64 MiB in total. */
  kept_capture: { input: closed({ id: idSchema('capture') }), result: nullable(session.CaptureResult) },
  /** `cleared`: true once the page no longer shows the challenge. */
  challenge: {
    input: closed({ challenge_id: Type.String() }),
    result: closed({ cleared: Type.Boolean() }),
  },
} as const;

export type LiveOperation = keyof typeof liveSchemas;
export const liveOperations = Object.keys(liveSchemas) as [LiveOperation, ...LiveOperation[]];
export type LiveInput<O extends LiveOperation> = Static<(typeof liveSchemas)[O]['input']>;
export type LiveResult<O extends LiveOperation> = Static<(typeof liveSchemas)[O]['result']>;

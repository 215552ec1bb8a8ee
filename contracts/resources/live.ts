import { Type, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { Cookie } from './session.ts';
import { TabId } from './session-tabs.ts';

const mebibyte = 1024 * 1024;
/** Limits of uploads in bytes: per file, of all concurrent ones of an account, and of all files of a session. */
export const uploadLimits = {
  file: 64 * mebibyte,
  accountAtOnce: 512 * mebibyte,
  session: 2048 * mebibyte,
} as const;

export const pageStates = ['loading', 'loaded', 'errored', 'stalled'] as const;
/** State of the active tab. `stalled`: its process is running, but its page has not answered for a second. */
export const PageState = closed({
  state: oneOf(pageStates),
  url: nullable(Type.String()),
  title: nullable(Type.String()),
  tabId: nullable(TabId),
  /** Only if `errored`: the last load failed. */
  error: nullable(closed({ kind: oneOf(['load_failed', 'tls_failed']), message: Type.String() })),
});
export type PageState = Static<typeof PageState>;

const cookies = { cookies: Type.Array(Cookie, { minItems: 1, maxItems: 2000 }) };
const step = {
  direction: oneOf(['back', 'forward']),
  /** Default: the active tab. */
  tabId: Type.Optional(TabId),
};
/** Live requests to a browser. */
export const cookiesToSet = closed(cookies);
export const stepInHistory = closed(step);
/** Request bodies of the same. */
export const SetCookies = requestBody(cookies);
export const GoInHistory = requestBody(step);

export const UploadHandle = closed({
  id: Type.String(),
  /** A bare file name, as pages see it. */
  name: Type.String(),
  mime: Type.String(),
  size: Type.Integer(),
});
export type UploadHandle = Static<typeof UploadHandle>;

export const DownloadEntry = closed({
  name: Type.String(),
  size: Type.Integer(),
  mime: Type.Optional(Type.String()),
});
export type DownloadEntry = Static<typeof DownloadEntry>;

/** The outcome; with a reason unless it is `ok`. */
const outcome = {
  status: oneOf(['ok', 'unavailable', 'timeout', 'error']),
  reason: Type.Optional(Type.String()),
};
export const LiveStatus = closed(outcome);
export type LiveStatus = Static<typeof LiveStatus>;
export const PageStateAnswer = closed({ page_state: nullable(PageState) });
export const CookiesAnswer = closed({ cookies: nullable(Type.Array(Cookie)), ...outcome });
export const UploadAnswer = closed({ handle: nullable(UploadHandle), ...outcome });
export const DownloadsAnswer = closed({ files: nullable(Type.Array(DownloadEntry)), ...outcome });
export const DownloadContent = closed({
  file: nullable(closed({ name: Type.String(), mime: Type.String(), dataB64: Type.String() })),
  ...outcome,
});
export const UploadFile = requestBody({
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  mime: Type.String({ maxLength: 255 }),
  dataB64: Type.String({ minLength: 1 }),
});

import * as agent from '../resources/agent-session.ts';
import * as live from '../resources/live.ts';
import { CaptureResult } from '../resources/session.ts';
import { largeBodyBytes, type Route } from '../route.ts';
import { Type } from '../schema.ts';
import { params, rows } from './agent-session-rows.ts';
import { ok, sessionReadScopes } from './rows.ts';

const { write } = rows;

/** Live reads are served by write-api, which can reach the nodes, and require the scope and role of reads. */
const ofBrowser = {
  scopes: sessionReadScopes,
  bucket: 'default:read',
  params,
  problems: ['not-found'],
} as const;

/** Live requests to the browser of an agent session, also during a turn. */
export const agentLiveRoutes = [
  write('POST /v1/agent-sessions/{id}/video-token', 'agent-sessions.video-token', {
    summary: 'Create a token to watch the browser, valid for a day',
    params,
    success: ok(agent.VideoToken, 'The token, and the address to use it at.'),
    problems: ['not-found', 'forbidden', 'feature-unavailable'],
  }),
  write('GET /v1/agent-sessions/{id}/gui-control-key', 'agent-sessions.gui-control-key', {
    summary: 'Get a key to control the browser over the video connection, valid for a day',
    params,
    success: ok(agent.GuiControlKey, 'The key.'),
    problems: ['not-found', 'forbidden', 'feature-unavailable'],
  }),
  write('GET /v1/agent-sessions/{id}/captures/{capture_id}', 'agent-sessions.capture', {
    ...ofBrowser,
    summary: 'Read the content of a capture, as long as its browser keeps it',
    params: { ...params, capture_id: Type.String({ description: '`cap_<uuid>`' }) },
    success: ok(CaptureResult, 'The capture.'),
    problems: ['not-found', 'driver-error', 'session-timeout'],
  }),
  write('GET /v1/agent-sessions/{id}/page-state', 'agent-sessions.page-state', {
    ...ofBrowser,
    summary: 'State of the active page; works while a turn runs',
    success: ok(live.PageStateAnswer, 'Null if there is no browser, or it does not answer.'),
  }),
  write('GET /v1/agent-sessions/{id}/cookies', 'agent-sessions.cookies', {
    ...ofBrowser,
    summary: 'The cookies of the browser',
    success: ok(live.CookiesAnswer, 'The whole jar.'),
  }),
  write('POST /v1/agent-sessions/{id}/cookies/set', 'agent-sessions.cookies-set', {
    summary: 'Set cookies: all of them, or none',
    params,
    body: live.SetCookies,
    bodyBytes: largeBodyBytes,
    success: ok(live.LiveStatus, 'How it went.'),
    problems: ['not-found'],
  }),
  write('POST /v1/agent-sessions/{id}/history', 'agent-sessions.history', {
    summary: 'Go back or forward',
    params,
    body: live.GoInHistory,
    success: ok(live.LiveStatus, 'How it went.'),
    problems: ['not-found'],
  }),
  write('POST /v1/agent-sessions/{id}/files', 'agent-sessions.upload', {
    summary: 'Send a file to the browser; an upload step selects it by its handle',
    params,
    body: live.UploadFile,
    spools: {
      field: 'dataB64',
      mostBytes: live.uploadLimits.file,
      accountBytes: live.uploadLimits.accountAtOnce,
    },
    success: ok(live.UploadAnswer, 'The handle.'),
    problems: ['not-found'],
  }),
  write('GET /v1/agent-sessions/{id}/downloads', 'agent-sessions.downloads', {
    ...ofBrowser,
    summary: 'List the files that the browser has downloaded',
    success: ok(live.DownloadsAnswer, 'The completed downloads.'),
  }),
  write('GET /v1/agent-sessions/{id}/downloads/content', 'agent-sessions.download', {
    ...ofBrowser,
    summary: 'Read the content of a downloaded file',
    query: { name: Type.String({ minLength: 1, maxLength: 1000 }) },
    success: ok(live.DownloadContent, 'The file.'),
  }),
] as const satisfies readonly Route[];

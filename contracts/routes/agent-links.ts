import * as link from '../resources/link.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { params, readScopes, rows } from './agent-session-rows.ts';
import { created, noContent, ok } from './rows.ts';

const { write } = rows;

/** Links by which people without an account watch the browser of an agent session, or drive it. */
export const agentLinkRoutes = [
  write('POST /v1/agent-sessions/{id}/links', 'agent-session-links.create', {
    summary: 'A link to the live view, for somebody without an account; it ends with the session',
    params,
    body: link.CreateLink,
    success: created(link.CreatedLink, 'The link, with its token, which is shown once.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  write('GET /v1/agent-sessions/{id}/links', 'agent-session-links.list', {
    scopes: readScopes,
    bucket: 'default:read',
    params,
    summary: 'The links that can be used, newest first',
    success: ok(link.LiveLinks, 'All of them: there are few.'),
    problems: ['not-found'],
  }),
  write('DELETE /v1/agent-sessions/{id}/links/{link_id}', 'agent-session-links.revoke', {
    params: { ...params, link_id: Type.String({ description: '`lnk_<uuid>`' }) },
    summary: 'Take a link back: whoever came by it is disconnected',
    success: noContent('The link opens nothing any more.'),
    problems: ['not-found'],
  }),
  write('POST /v1/agent-session-links/open', 'agent-session-links.open', {
    scopes: null,
    accountHeader: 'ignored',
    bucket: 'auth:attempt',
    summary: 'What a link opens: a token for the one room, without a sign-in',
    body: link.OpenLink,
    success: ok(link.OpenedLink, 'Where the room is, and a token for it.'),
    problems: ['invalid-auth-token', 'forbidden', 'feature-unavailable'],
  }),
] as const satisfies readonly Route[];

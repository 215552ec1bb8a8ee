import * as link from '../resources/link.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { params, rows } from './agent-session-rows.ts';
import { created, noContent, ok, sessionReadScopes } from './rows.ts';

const { write } = rows;

/** Links by which people without an account watch the browser of an agent session, or drive it. */
export const agentLinkRoutes = [
  write('POST /v1/agent-sessions/{id}/links', 'agent-session-links.create', {
    summary: 'Create a link to the live view for somebody without an account; it ends with the session',
    params,
    body: link.CreateLink,
    success: created(link.CreatedLink, 'The link, with its token, which is shown once.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  write('GET /v1/agent-sessions/{id}/links', 'agent-session-links.list', {
    scopes: sessionReadScopes,
    bucket: 'default:read',
    answersHead: true,
    params,
    summary: 'List the active links, newest first',
    success: ok(link.LiveLinks, 'All active links, without pages.'),
    problems: ['not-found'],
  }),
  write('DELETE /v1/agent-sessions/{id}/links/{link_id}', 'agent-session-links.revoke', {
    params: { ...params, link_id: Type.String({ description: '`lnk_<uuid>`' }) },
    summary: 'Revoke a link; whoever joined with it is disconnected',
    success: noContent('The link is revoked.'),
    problems: ['not-found'],
  }),
  write('POST /v1/agent-session-links/open', 'agent-session-links.open', {
    scopes: null,
    accountHeader: 'ignored',
    bucket: 'auth:attempt',
    summary: 'Exchange a link for a token of its room, without signing in',
    body: link.OpenLink,
    success: ok(link.OpenedLink, 'The address of the room, and a token for it.'),
    problems: ['invalid-auth-token', 'forbidden', 'feature-unavailable'],
  }),
] as const satisfies readonly Route[];

import * as agent from '../resources/agent-session.ts';
import { IndexedEntry } from '../resources/agent-turn.ts';
import type { Route } from '../route.ts';
import { Type, page } from '../schema.ts';
import { params, rows } from './agent-session-rows.ts';
import { ListQuery, ok } from './rows.ts';

const { read, list, detail } = rows;

/** Agent sessions and their transcripts. */
export const agentSessionReadRoutes = [
  list('/v1/agent-sessions', 'agent-sessions.list', agent.AgentSession, 'agent sessions'),
  ...detail('/v1/agent-sessions/{id}', 'agent-sessions', agent.AgentSession, 'agent session', { params }),
  read('GET /v1/agent-sessions/{id}/transcript', 'agent-sessions.transcript', {
    summary: 'Read the conversation as a page, or as a stream of events until the session is closed',
    params,
    lasts: 'endless',
    credentialInQuery: 'token',
    headers: {
      'Last-Event-ID':
        'For a stream: the index of the last entry that the client has. Only later ones are sent.',
    },
    query: {
      ...ListQuery,
      token: Type.Optional(
        Type.String({ maxLength: 4096, description: 'The credential, for `EventSource` in browsers.' }),
      ),
    },
    success: {
      ...ok(page(IndexedEntry), 'Entries, oldest first.'),
      contentType: 'application/json, text/event-stream',
    },
    problems: ['not-found', 'bad-request'],
  }),
] as const satisfies readonly Route[];

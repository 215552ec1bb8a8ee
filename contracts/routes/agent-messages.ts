import { Message, MessageAnswer } from '../resources/agent-turn.ts';
import type { Route } from '../route.ts';
import { params, rows } from './agent-session-rows.ts';
import { ok } from './rows.ts';

const { write } = rows;

/** Messages to agents. */
export const agentMessageRoutes = [
  write('POST /v1/agent-sessions/{id}/message', 'agent-sessions.message', {
    summary: 'Send a message; returns when its turn has ended, or streams events',
    params,
    bucket: 'agent_sessions:message',
    idempotencyKey: true,
    lasts: 'minutes',
    headers: {
      'x-byok-llm-api-key':
        'A model-provider key for this turn only. It takes precedence over a stored one, is never stored, and may differ when a request is repeated.',
    },
    body: Message,
    success: {
      ...ok(MessageAnswer, 'The outcome of the message.'),
      contentType: 'application/json, text/event-stream',
    },
    problems: [
      'not-found',
      'conflict',
      'profile-in-use',
      'storage-quota-exceeded',
      'proxy-validation-failed',
      'concurrency-limit',
      'session-destroyed',
      'bundled-llm-budget-exhausted',
      'bundled-llm-consent-required',
      'byok-llm-required',
      'model-unavailable',
      'driver-error',
      'driver-not-integrated',
      'session-timeout',
    ],
  }),
] as const satisfies readonly Route[];

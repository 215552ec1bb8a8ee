import { expect } from 'chai';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { uuidOf, type AgentSessionId, type SessionId } from '../../../contracts/ids.ts';
import type { AgentSession } from '../../../contracts/resources/agent-session.ts';
import type { Answer } from '../../http/testing.ts';
import type { Client } from './client.ts';
import type { World } from './world.ts';

/** The client's own key of the model provider, sent with each message. */
export const ownKey = { 'x-byok-llm-api-key': 'sk-ant-own' };

/** A client's actions on its agent sessions, and what the log has of them. */
export interface AgentClient {
  open(body?: object): Promise<AgentSessionId>;
  say(id: AgentSessionId, message: string, headers?: Record<string, string>): Promise<Answer>;
  /** Like `say` with an idempotency key, and with the client's own key of the provider. */
  sayOnce(key: string, id: AgentSessionId, message: string): Promise<Answer>;
  shown(id: AgentSessionId): Promise<AgentSession>;
  /** Its driver session. */
  browserOf(id: AgentSessionId): Promise<SessionId>;
  eventsOf(id: AgentSessionId): Promise<readonly AgentSessionEvent[]>;
  /** Number of events of a type in the session. */
  count(id: AgentSessionId, type: AgentSessionEvent['type']): Promise<number>;
}

export function agentsOf(client: Client, { readStream }: World): AgentClient {
  const say: AgentClient['say'] = (id, user_message, headers = ownKey) =>
    client.call(`POST /v1/agent-sessions/${id}/message`, { user_message }, headers);
  const eventsOf: AgentClient['eventsOf'] = async (id) =>
    (await readStream(`agent_session-${uuidOf(id)}`)).map(
      ({ type, data }) => ({ type, data }) as AgentSessionEvent,
    );
  const shown: AgentClient['shown'] = async (id) => {
    const { status, text } = await client.call(`GET /v1/agent-sessions/${id}`);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as AgentSession;
  };
  return {
    open: async (body = {}) => {
      const { status, text, json } = await client.call('POST /v1/agent-sessions', body);
      expect(status, text).to.equal(201);
      return json.id as AgentSessionId;
    },
    say,
    sayOnce: (key, id, message) => say(id, message, { ...ownKey, 'idempotency-key': key }),
    shown,
    browserOf: async (id) => {
      const { service_session_id: session } = await shown(id);
      if (session === null) throw new Error(`${id} has no driver session.`);
      return session;
    },
    eventsOf,
    count: async (id, type) => (await eventsOf(id)).filter((event) => event.type === type).length,
  };
}

import { randomUUID } from 'node:crypto';
import { ownedContext } from '../../commands/engine/context.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import type { Answer } from '../../infra/http/testing.ts';
import type { WriteSide } from '../testing.ts';

/** The slug of a problem; undefined for any other answer. */
export const slugOf = ({ json }: Answer): string | undefined =>
  typeof json.type === 'string' ? json.type.split('/').at(-1) : undefined;

const uuid = (id: unknown): string => uuidOf(String(id));

interface Account {
  readonly accountId: AccountId;
  readonly token: string;
}

/** A client's requests on agent sessions over HTTP, and changes by other processes. */
export function agentClient(side: WriteSide, { accountId, token }: Account) {
  const call = (target: string, body?: object, headers: Record<string, string> = {}) =>
    side.call(target, { token, headers, ...(body && { body }) });
  const on = (id: unknown, what: string, body?: object) =>
    call(`POST /v1/agent-sessions/${String(id)}/${what}`, body);
  const decide = (id: unknown, command: AgentSessionCommand) =>
    side.staff.runner.run(agentSession, uuid(id), command, ownedContext(side.staff.context(), accountId));
  return {
    call,
    on,
    create: (body?: object, key?: string) =>
      call('POST /v1/agent-sessions', body, key === undefined ? {} : { 'idempotency-key': key }),
    close: (id: unknown) => call(`DELETE /v1/agent-sessions/${String(id)}`),
    decide,
    /** A turn run by another process. Resolves to its id. */
    async turn(id: unknown, leaseMs = 60_000): Promise<string> {
      const turnId = randomUUID();
      const sealed = { sealedMessage: 'sealed', sealedExhausted: 'sealed' };
      const [at, leaseExpiresAt] = [new Date(), new Date(Date.now() + leaseMs)].map((time) =>
        time.toISOString(),
      );
      if (at === undefined || leaseExpiresAt === undefined) throw new Error('There are two times.');
      await decide(id, { type: 'AdmitMessage', turnId, ...sealed, leaseExpiresAt, at });
      return turnId;
    },
    events: async (id: unknown) => side.events(`agent_session-${uuid(id)}`),
    types: async (id: unknown) => (await side.events(`agent_session-${uuid(id)}`)).map(({ type }) => type),
  };
}

export type AgentClient = ReturnType<typeof agentClient>;

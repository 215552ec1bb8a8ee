import { randomUUID } from 'node:crypto';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

type Staff = Pick<WriteSide['staff'], 'runner' | 'context'>;

/** Runs a command on the stream of an agent session directly. */
export const decideOn = ({ runner, context }: Staff, id: AgentSessionId, command: AgentSessionCommand) =>
  runner.run(agentSession, uuidOf(id), command, context());

/** An agent session, created as by a request of its account. */
export async function openAgentSession(
  staff: Staff,
  accountId: AccountId,
  attached: SessionId | null = null,
): Promise<AgentSessionId> {
  const agentSessionId = toId('agentSession', randomUUID());
  await decideOn(staff, agentSessionId, {
    ...{ type: 'CreateAgentSession', agentSessionId, accountId, attached, createdBy: accountId },
    ...{ mode: 'ai', model: 'a-model', tokenBudget: 1000, profileId: null, proxyId: null },
    ...{ sealedStart: null, opensInitialUrl: false, at: new Date().toISOString() },
  });
  return agentSessionId;
}

interface Own {
  readonly side: WriteSide;
  readonly token: string;
  readonly accountId: AccountId;
  readonly driven: SessionId;
  readonly agent: AgentSessionId;
}

/**
 * A write side and, for each test of the enclosing `describe`, an account with a driver session and an agent session that holds
 * it.
 */
export function withAgentSession() {
  let side: WriteSide | undefined;
  let own: Own | undefined;
  const parts = () => own ?? absent();
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side?.close());
  beforeEach(async () => {
    side ??= absent();
    const { token, accountId } = await side.staff.account('team');
    const driven = await driveOn(side, token);
    own = { side, token, accountId, driven, agent: await openAgentSession(side.staff, accountId, driven) };
  });
  return {
    ...handsOf(parts),
    get side() {
      return parts().side;
    },
    get token() {
      return parts().token;
    },
    get accountId() {
      return parts().accountId;
    },
    get driven() {
      return parts().driven;
    },
    get agent() {
      return parts().agent;
    },
    /** Replaces the agent session by one without a browser. */
    withoutBrowser: async () => {
      own = { ...parts(), agent: await openAgentSession(parts().side.staff, parts().accountId) };
    },
  };
}

const driveOn = async (side: WriteSide, token: string): Promise<SessionId> =>
  String((await side.call('POST /v1/sessions', { token, body: {} })).json.id) as SessionId;

/** Common steps of tests. */
function handsOf(parts: () => Own) {
  const call = (method: string, path: string, body?: unknown, id: string = parts().agent, as?: string) =>
    parts().side.call(`${method} /v1/agent-sessions/${id}/${path}`, {
      token: as ?? parts().token,
      ...(body !== undefined && { body }),
    });
  const operate = (operation: string, body: object, session = parts().driven) =>
    parts().side.call(`POST /v1/sessions/${session}/${operation}`, { token: parts().token, body });
  return {
    ...{ call, operate },
    drive: () => driveOn(parts().side, parts().token),
    close: () => {
      const command = { type: 'Close', reason: 'customer-closed', at: new Date().toISOString() } as const;
      return decideOn(parts().side.staff, parts().agent, command);
    },
    get: async (path: string) => (await call('GET', path)).json,
    navigate: (path: string) => operate('navigate', { url: `http://sim.test${path}` }),
    upload: (name: string, content: string | Uint8Array) =>
      call('POST', 'files', { name, mime: 'text/plain', dataB64: base64(content) }),
    /** Recorded changes of the browser. */
    changes: async () =>
      (await parts().side.events(`agent_session-${uuidOf(parts().agent)}`))
        .filter(({ type }) => type === 'BrowserChanged')
        .map(({ data }) => (data as { change: string }).change),
  };
}

export const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');

function absent(): never {
  throw new Error('The agent session is there in tests only.');
}

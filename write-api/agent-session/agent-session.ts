import { v7 as uuidv7 } from 'uuid';
import type { AgentSessionCommands } from '../../commands/agent-session/index.ts';
import type { Caller } from '../../commands/engine/context.ts';
import type { KeyedWork } from '../../commands/receipt/index.ts';
import { toId, type AgentSessionId } from '../../contracts/ids.ts';
import type { AgentSession, CreateAgentSession } from '../../contracts/resources/agent-session.ts';
import type { agentSessionRoutes } from '../../contracts/routes/agent-sessions.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';

type AgentSessionRoutes = (typeof agentSessionRoutes)[number]['id'];

/** The routes that open, close and control agent sessions. */
export function agentSessionHandlers(
  agents: AgentSessionCommands,
  { answering, answeringOn }: Handling,
  idempotently: Idempotently,
): HandlersOf<AgentSessionRoutes> {
  const onAgentSession = answeringOn((caller, id) => agents.find(caller, id));
  return {
    'agent-sessions.create': answering((call) =>
      idempotently('agent-sessions.create', call, creation(agents, call)),
    ),
    'agent-sessions.close': onAgentSession(async ({ caller, found }) =>
      shown(await agents.close(caller, found)),
    ),
    'agent-sessions.mode': onAgentSession(async ({ caller, found, body: { mode } }) =>
      shown(await agents.changeMode(caller, found, mode)),
    ),
    'agent-sessions.input-event': onAgentSession(async ({ caller, found, body }) => {
      const { pair, position } = await agents.sendInput(caller, found, body);
      return { body: { kind: 'pair-mode-takeover-fired', pair_mode_state: pair }, position };
    }),
    'agent-sessions.takeover': onAgentSession(async ({ caller, found, body }) =>
      controls(await agents.takeOver(caller, found, body)),
    ),
    'agent-sessions.handback': onAgentSession(async ({ caller, found }) =>
      controls(await agents.handBack(caller, found)),
    ),
    'agent-sessions.resume': onAgentSession(async ({ caller, found, body: { challenge_id } }) => {
      const { position } = await agents.resume(caller, found, challenge_id ?? null);
      return { body: { status: 'resume_requested', session_id: found.id }, position };
    }),
  };
}

type Answer<Command extends keyof AgentSessionCommands> = Awaited<ReturnType<AgentSessionCommands[Command]>>;

const shown = ({ session, position }: Answer<'close'>) => ({ body: session, position });
const controls = ({ pair, position }: Answer<'handBack'>) => ({ body: { pair_mode_state: pair }, position });

/**
 * The work of a creation under an `Idempotency-Key`. The receipt stores the video token: a token made for a retry
 * could be one for another node.
 */
const creation = (
  agents: AgentSessionCommands,
  { caller, body }: { readonly caller: Caller; readonly body: CreateAgentSession },
): KeyedWork<AgentSessionId, AgentSession> => ({
  newId: () => toId('agentSession', uuidv7()),
  run: async (id) => {
    const { session, position } = await agents.create(caller, id, body);
    return { body: await agents.withVideo(caller, session), position };
  },
  outcome: async (id) => {
    const outcome = await agents.describe(id);
    return outcome.kind === 'created'
      ? { kind: 'created', body: await agents.withVideo(caller, outcome.body) }
      : outcome;
  },
  withdraw: (id) => agents.withdraw(caller, id, body),
});

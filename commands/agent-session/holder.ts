import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { noEnd } from '../../domain/agent-session/lost-browser.ts';
import {
  exists,
  type AgentSession,
  type ExistingAgentSession,
  type Recorded,
} from '../../domain/agent-session/state.ts';
import { sessionHolder, type SessionHolder } from '../../domain/session-holder.ts';
import { session, type DestroyCause } from '../../domain/session/session.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { isAbandoned } from '../engine/abandoned.ts';
import type { CommandPorts, RunOutcome } from '../engine/runner.ts';
import type { SessionCommands } from '../session/index.ts';
import { load, run } from './find.ts';

/** Which agent session works with which driver session. */
export interface Holding {
  readonly sessionId: SessionId;
  readonly agentSessionId: AgentSessionId;
  readonly accountId: AccountId;
}

/**
 * Holds a driver session for an agent session. Refused with `conflict` while another agent session holds it; a holder that is
 * closed, or whose creation never completed, is released first.
 */
export async function hold(
  ports: CommandPorts,
  holding: Holding & { readonly spawned: boolean },
  context: CommandContext,
): Promise<void> {
  const { sessionId, accountId } = holding;
  const take = async () => {
    const step = ownedStep(context, accountId, `hold ${sessionId}`);
    const command = { type: 'HoldSession', ...holding, at: now(ports) } as const;
    await ports.runner.run(sessionHolder, uuidOf(sessionId), command, step);
  };
  try {
    await take();
  } catch (error) {
    if (!(error instanceof Refusal) || !(await reclaim(ports, sessionId, context))) throw error;
    await take();
  }
}

/** Releases the hold; does nothing unless this agent session has it. */
export async function letGo(
  ports: CommandPorts,
  { sessionId, agentSessionId, accountId }: Holding,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'LetGoOfSession', agentSessionId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `let-go ${sessionId} ${agentSessionId}`);
  await ports.runner.run(sessionHolder, uuidOf(sessionId), command, step);
}

/** The cause of a driver session's end, by why the agent session that started it was closed. */
const causes: Readonly<Record<Recorded<'AgentSessionClosed'>['reason'], DestroyCause>> = {
  'customer-closed': 'customer',
  'budget-exhausted': 'agent_session',
  'account-erased': 'suspension',
  idle: 'idle',
};

interface ReleasePorts extends CommandPorts {
  readonly sessions: Pick<SessionCommands, 'endOrWithdraw'>;
}

type Loss = RunOutcome<AgentSession, AgentSessionEvent>;

/**
 * Ends the driver session that the closed agent session started (or will start), and releases it; an attached one stays open. Does
 * nothing while the agent session is open. Returns the loss of a driver session that was never requested; undefined if there is none.
 */
export async function release(
  ports: ReleasePorts,
  { agentSessionId, accountId, browser, closedReason }: ExistingAgentSession,
  context: CommandContext,
): Promise<Loss | undefined> {
  if (browser === null || closedReason === null) return undefined;
  const { sessionId, origin } = browser;
  const holding = { sessionId, agentSessionId, accountId };
  const lost =
    origin === 'spawned' ? await endSpawned(ports, holding, causes[closedReason], context) : undefined;
  await letGo(ports, holding, context);
  return lost;
}

/** Ends the driver session. If it was not requested, it can never be from then on: the agent session loses it. */
async function endSpawned(
  ports: ReleasePorts,
  { sessionId, agentSessionId, accountId }: Holding,
  cause: DestroyCause,
  context: CommandContext,
): Promise<Loss | undefined> {
  await ports.sessions.endOrWithdraw({ accountId, context }, sessionId, cause);
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  if (state.status !== 'none' || !state.isWithdrawn) return undefined;
  const command = { type: 'LoseDriverSession', sessionId, cause: 'refused', ...noEnd } as const;
  const step = ownedStep(context, accountId, `lose ${sessionId}`);
  return run(ports, agentSessionId, { ...command, at: now(ports) }, step);
}

/** The agent session that holds a driver session; null if none. */
export const holderOf = async ({ runner }: Pick<CommandPorts, 'runner'>, sessionId: SessionId) =>
  (await runner.load(sessionHolder, uuidOf(sessionId))).state.held;

/** An agent session found absent is withdrawn: its slow request is refused afterwards. */
export function withdrawAgentSession(
  ports: CommandPorts,
  { agentSessionId, accountId }: Pick<Holding, 'agentSessionId' | 'accountId'>,
  context: CommandContext,
) {
  const command = { type: 'WithdrawAgentSession', agentSessionId, accountId, at: now(ports) } as const;
  return run(ports, agentSessionId, command, ownedStep(context, accountId, `withdraw ${agentSessionId}`));
}

/** Releases a holder that no longer needs the driver session; returns whether it is free now. */
async function reclaim(ports: CommandPorts, sessionId: SessionId, context: CommandContext): Promise<boolean> {
  const held = await holderOf(ports, sessionId);
  if (held === null) return true;
  if (!(await isOver(ports, held, context))) return false;
  await letGo(ports, held, context);
  return true;
}

async function isOver(
  ports: CommandPorts,
  held: NonNullable<SessionHolder['held']>,
  context: CommandContext,
): Promise<boolean> {
  let state = await load(ports, held.agentSessionId);
  if (state.status === 'none' && isAbandoned(held.at, ports.clock.now()))
    ({ state } = await withdrawAgentSession(ports, held, context));
  return exists(state) ? state.status === 'closed' : state.status === 'withdrawn';
}

import { uuidOf, type AgentSessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { presentAgentSession, type AgentSession as Shown } from '../../contracts/resources/agent-session.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { exists, type AgentSession, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Caller, CommandContext } from '../engine/context.ts';
import { findOwned } from '../engine/find-owned.ts';
import { openSealedOrThrow } from '../engine/open-sealed.ts';
import type { RunOptions, RunOutcome, Runner } from '../engine/runner.ts';
import type { OwnedAgentSession } from './ports.ts';

type Running = { readonly runner: Runner };

/** Throws `not-found` for a missing or foreign agent session and for an invalid id. */
export async function find(
  { runner }: Running,
  { accountId }: Pick<Caller, 'accountId'>,
  text: string,
): Promise<OwnedAgentSession> {
  const cached = { cached: true };
  const found = await findOwned(runner, agentSession, 'agentSession', accountId, text, cached);
  return { id: found.agentSessionId, accountId };
}

export const load = async ({ runner }: Running, id: AgentSessionId): Promise<AgentSession> =>
  (await runner.load(agentSession, uuidOf(id))).state;

/** The state cached in this process. */
export const loadCached = async ({ runner }: Running, id: AgentSessionId): Promise<AgentSession> =>
  (await runner.load(agentSession, uuidOf(id), { cached: true })).state;

/** Runs a command on the agent session. `step` is the context of this one command. */
export const run = (
  { runner }: Running,
  id: AgentSessionId,
  command: AgentSessionCommand,
  step: CommandContext,
  options?: RunOptions,
) => runner.run(agentSession, uuidOf(id), command, step, options);

/** Opens JSON sealed for a field of the agent session. Rejects with `AccountErased`. */
export const openJson = async <T>(
  { vault }: { readonly vault: Pick<Vault, 'open'> },
  { accountId }: Pick<OwnedAgentSession, 'accountId'>,
  field: string,
  sealed: string,
): Promise<T> =>
  // Only this service seals the field, so its shape is known.
  JSON.parse(await openSealedOrThrow(vault, accountId, field, sealed)) as T;

/** An agent session after a command. */
export interface Changed {
  readonly state: ExistingAgentSession;
  readonly session: Shown;
  /** Position of its last new event; undefined if nothing changed. */
  readonly position: Position | undefined;
}

export function changed({ state, position }: RunOutcome<AgentSession, unknown>): Changed {
  if (!exists(state)) throw refuse('not-found');
  return { state, session: presentAgentSession(state), position };
}

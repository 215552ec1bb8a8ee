import type { AccountId, AgentSessionId } from '../../contracts/ids.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { load, run } from './find.ts';

/** Closes an agent session of an erased account; the reaction to that releases its browser. */
export async function closeErased(
  ports: CommandPorts,
  accountId: AccountId,
  id: AgentSessionId,
  context: CommandContext,
): Promise<void> {
  if (!exists(await load(ports, id))) return;
  const command = { type: 'Close', reason: 'account-erased', at: now(ports) } as const;
  await run(ports, id, command, ownedStep(context, accountId, `erase ${id}`));
}

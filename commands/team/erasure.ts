import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { teamMember } from '../../domain/team-member.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { CommandPorts, Runner } from '../engine/runner.ts';

/** One address on an owner's team. */
export interface TeamSeat {
  /** Uuid of its stream. */
  readonly uuid: string;
  readonly owner: AccountId;
}

/** Ends the membership or invitation after the account on either side was erased. */
export async function endSeat(
  ports: CommandPorts,
  { uuid, owner }: TeamSeat,
  erasedAccountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'EndForErasure', erasedAccountId, at: now(ports) } as const;
  await ports.runner.run(teamMember, uuid, command, ownedStep(context, owner, `end-seat ${uuid}`));
}

export const isErased = async (
  { runner }: { readonly runner: Pick<Runner, 'load'> },
  accountId: AccountId,
): Promise<boolean> => (await runner.load(account, uuidOf(accountId))).state.status === 'erased';

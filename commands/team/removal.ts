import type { TeamMemberEvent } from '../../contracts/events/team-member.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { teamMember } from '../../domain/team-member.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { queueMail, type QueuePorts } from '../mail/queue.ts';
import { isErased } from './erasure.ts';
import { endMade, endMadeBy, madeBy, type MadeByPorts } from './made-by.ts';

export interface RemovalPorts extends QueuePorts, MadeByPorts {
  readonly runner: Runner;
}

type Removed = DataOf<TeamMemberEvent, 'TeamMemberRemoved'>;

/**
 * Completes a removal after a crash, and mails the owner what the member had made. If the person has joined again, what was made
 * since stays.
 */
export async function completeRemoval(
  ports: RemovalPorts,
  { membershipId, ownerAccountId, accountId, revokes, ...removed }: Removed,
  context: CommandContext,
): Promise<void> {
  if (await isErased(ports, ownerAccountId)) return;
  const made = removed.made ?? (await madeBy(ports, ownerAccountId, accountId));
  if (revokes) {
    const { state } = await ports.runner.load(teamMember, uuidOf(membershipId));
    await (state.status === 'removed'
      ? endMadeBy(ports, ownerAccountId, accountId, context)
      : endMade(ports, ownerAccountId, made, context));
  }
  const facts = {
    membership_id: membershipId,
    api_keys: named(made.apiKeys),
    webhooks: named(made.webhooks),
    outcome: revokes ? 'ended' : 'kept',
  };
  await queueMail(ports, { accountId: ownerAccountId, template: 'team-member-removed', facts }, context);
}

/** Maximum ids in a mail: more would be cut (`maxFactLength`). */
const mostNamed = 40;

const named = (ids: readonly string[]): string =>
  [...ids.slice(0, mostNamed), ...(ids.length > mostNamed ? ['and others'] : [])].join(', ');

import type { TeamCommands } from '../../commands/team/index.ts';
import { endMadeBy, madeBy, type MadeByPorts } from '../../commands/team/made-by.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type TeamRoutes =
  | 'team-invites.create'
  | 'team-invites.withdraw'
  | 'team-invites.accept'
  | 'team-members.remove';

/** The routes that invite to a team, join one and remove from it. */
export function teamHandlers(
  team: TeamCommands,
  ports: MadeByPorts,
  { answering, answeringOn }: Handling,
): HandlersOf<TeamRoutes> {
  const onInvitation = answeringOn(({ accountId }, id) => team.findInvitation(accountId, id));
  const onMember = answeringOn(({ accountId }, id) => team.findMember(accountId, id));
  return {
    'team-invites.create': answering(async ({ caller, body }) => {
      const { invitation, position } = await team.invite(caller, body, caller.context);
      return { body: invitation, position };
    }),
    'team-invites.withdraw': onInvitation(async ({ caller, found }) => ({
      position: await team.withdraw(found, caller.context),
    })),
    'team-invites.accept': answering(async ({ caller, body }) => {
      const { membership, position } = await team.accept(caller.accountId, body.token, caller.context);
      return { body: membership, position };
    }),
    'team-members.remove': onMember(async ({ caller, found, query }) => {
      const { accountId, context } = caller;
      if (!('memberAccountId' in found)) throw refuse('not-found');
      const member = found.memberAccountId;
      const made = await madeBy(ports, accountId, member);
      const revokes = query.keys === 'revoke';
      const removed = await team.remove(found, { made, revokes }, context);
      // Looked up again, to end keys and endpoints created up to the removal.
      const ended = revokes ? await endMadeBy(ports, accountId, member, context) : undefined;
      return { position: ended ?? removed };
    }),
  };
}

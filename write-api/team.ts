import type { TeamCommands } from '../commands/team/index.ts';
import { endMadeBy, type MadeByPorts } from '../commands/team/made-by.ts';
import type { Handling, HandlersOf } from './engine/handling.ts';

type TeamRoutes =
  'team-invites.create' | 'team-invites.withdraw' | 'team-invites.accept' | 'team-members.remove';

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
      const { invitation, position } = await team.invite(caller.accountId, body, caller.context);
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
      const removed = await team.remove(found, caller.context);
      if (query.keys !== 'revoke' || !('memberAccountId' in found)) return { position: removed };
      const ended = await endMadeBy(ports, caller.accountId, found.memberAccountId, caller.context);
      return { position: ended ?? removed };
    }),
  };
}

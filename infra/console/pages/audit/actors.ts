import { teamMembers } from '../../../../contracts/client/index.ts';
import type { Names } from '../../parts/browser-choices.ts';
import { me } from '../../parts/signed-in.tsx';
import { connection, owner } from '../../service.ts';
import { words } from './strings.ts';

/**
 * Who may have acted on the account, by the service's `actor`: its owner, the members of its team with their mail addresses, and the
 * service. Undefined for a member who acts for the owner: the list of members would be the one of their own team.
 */
export async function readActors(): Promise<Names | undefined> {
  const { value: account } = me;
  if (owner !== undefined || account === undefined) return undefined;
  const members: Record<string, string> = {};
  const listed = teamMembers(connection).list({ limit: 100 });
  for await (const { account_id, email } of listed) members[account_id] = email;
  return { [account.id]: words.owner, ...members, system: words.actors.system };
}

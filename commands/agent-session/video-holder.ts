import type { TeamRole } from '../../contracts/events/team-member.ts';
import { parseId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { deadLink } from '../../domain/agent-session/links.ts';
import { exists, liveLinks } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { now } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { load } from './find.ts';
import { accountOf } from './participant.ts';

export interface HolderPorts extends CommandPorts {
  readonly roleOn: (owner: AccountId, accountId: AccountId) => Promise<TeamRole | undefined>;
}

/** The holder of a token: a person with an account, or one who opened a link. */
interface Holder {
  readonly sub: string;
  readonly link?: string;
  readonly video: { readonly room: string };
}

/**
 * Whether a person's account may drive the owner's browsers now: it is the owner's, or it is active and an admin on
 * the owner's team. A null account is the service itself, which may. Read from the log, so it includes every
 * acknowledged removal.
 */
export async function mayDrive(
  { runner, roleOn }: HolderPorts,
  owner: AccountId,
  person: AccountId | null,
): Promise<boolean> {
  if (person === null || person === owner) return true;
  if ((await roleOn(owner, person)) !== 'admin') return false;
  return (await runner.load(account, uuidOf(person))).state.status === 'active';
}

/**
 * Throws unless the holder may stay in the room. A person's token ends when that account may no longer drive. A
 * link's token ends with the link, and when the maker of the link may no longer drive. Throws `unauthorized`, or
 * `invalid-auth-token` for a link.
 */
export async function assertHolderMayStay(ports: HolderPorts, { sub, link, video }: Holder): Promise<void> {
  const agent = parseId('agentSession', video.room);
  const alone = parseId('session', video.room);
  if (agent !== undefined) {
    const state = await load(ports, agent);
    if (!exists(state)) throw refuse('not-found');
    if (link === undefined) return assertMayDrive(ports, state.accountId, accountOf(sub));
    const living = liveLinks(state, now(ports)).find(({ linkId }) => linkId === link);
    if (living === undefined || !(await mayDrive(ports, state.accountId, living.createdBy))) throw deadLink();
  } else if (alone !== undefined) {
    const { state } = await ports.runner.load(session, uuidOf(alone));
    if (state.status !== 'none') await assertMayDrive(ports, state.accountId, accountOf(sub));
  }
}

async function assertMayDrive(ports: HolderPorts, owner: AccountId, person: AccountId | undefined) {
  if (person !== undefined && (await mayDrive(ports, owner, person))) return;
  throw refuse(
    'unauthorized',
    'The video token has ended with the right of the account that it was made for.',
  );
}

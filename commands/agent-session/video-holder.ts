import type { TeamRole } from '../../contracts/events/team-member.ts';
import { parseId, uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { deadLink } from '../../domain/agent-session/links.ts';
import type { Link } from '../../domain/agent-session/link.ts';
import { exists, liveLinks } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isActiveKey } from '../api-key/validity.ts';
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
  /** The API key with which a person's token was made. */
  readonly key?: string;
  readonly video: { readonly room: string };
}

/** Who made a token or a link: an account, with an API key if one is given. A null account is the service itself. */
interface Maker {
  readonly person: AccountId | null;
  readonly apiKeyId?: ApiKeyId | undefined;
}

/**
 * Whether the maker may drive the owner's browsers now: the key still works, and the account is the owner's, or is
 * active and an admin on the owner's team. The service itself may. Read from the log, so it includes every
 * acknowledged removal and revocation.
 */
export async function mayDrive(
  ports: HolderPorts,
  owner: AccountId,
  { person, apiKeyId }: Maker,
): Promise<boolean> {
  const { runner, roleOn } = ports;
  if (apiKeyId !== undefined && !(await isActiveKey(ports, apiKeyId))) return false;
  if (person === null || person === owner) return true;
  if ((await roleOn(owner, person)) !== 'admin') return false;
  return (await runner.load(account, uuidOf(person))).state.status === 'active';
}

/**
 * Throws unless the holder may stay in the room. A person's token ends when its maker may no longer drive. A link's
 * token ends with the link, and when the maker of the link may no longer drive. Throws `unauthorized`, or
 * `invalid-auth-token` for a link.
 */
export async function assertHolderMayStay(ports: HolderPorts, holder: Holder): Promise<void> {
  const { link, video } = holder;
  const agent = parseId('agentSession', video.room);
  const alone = parseId('session', video.room);
  if (agent !== undefined) {
    const state = await load(ports, agent);
    if (!exists(state)) throw refuse('not-found');
    if (link === undefined) return assertMayDrive(ports, state.accountId, holder);
    const living = liveLinks(state, now(ports)).find(({ linkId }) => linkId === link);
    if (living === undefined || !(await mayDrive(ports, state.accountId, makerOf(living)))) throw deadLink();
  } else if (alone !== undefined) {
    const { state } = await ports.runner.load(session, uuidOf(alone));
    if (state.status !== 'none') await assertMayDrive(ports, state.accountId, holder);
  }
}

export const makerOf = ({ createdBy, apiKeyId }: Link): Maker => ({ person: createdBy, apiKeyId });

async function assertMayDrive(ports: HolderPorts, owner: AccountId, { sub, key }: Holder) {
  const person = accountOf(sub);
  const apiKeyId = parseId('apiKey', key ?? '');
  const isKnown = person !== undefined && (key === undefined || apiKeyId !== undefined);
  if (isKnown && (await mayDrive(ports, owner, { person, apiKeyId }))) return;
  throw refuse(
    'unauthorized',
    'The video token has ended with the right of the account, or with the API key, that it was made with.',
  );
}

import { randomUUID } from 'node:crypto';
import { invitationToken } from '../../commands/team/invitation.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { TeamMemberEvent, TeamRole } from '../../contracts/events/team-member.ts';
import { uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { WriteSide } from '../testing.ts';
import { peppers } from './config.ts';

type Side = Pick<WriteSide, 'call' | 'events' | 'staff'>;

/** A person with an account and a known address. */
export interface Person {
  readonly email: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly apiKeyId: ApiKeyId;
}

export async function aPerson(
  { staff }: Pick<Side, 'staff'>,
  { tier = 'team', scopes }: { readonly tier?: Tier; readonly scopes?: readonly Scope[] } = {},
): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  return { email, ...(await staff.account(tier, scopes, email)) };
}

export const oneTimeTokens = createOneTimeTokens(peppers);

/** The token in the latest invitation's mail, by the answer to the invitation. */
export async function tokenOf({ events }: Pick<Side, 'events'>, { json }: Answer): Promise<string> {
  const seat = uuidOf(String(json.id));
  const invited = (await events(`team_member-${seat}`)).findLast(({ type }) => type === 'TeamMemberInvited');
  const data = invited?.data as Extract<TeamMemberEvent, { type: 'TeamMemberInvited' }>['data'];
  return oneTimeTokens.textOf(invitationToken(seat, data.tokenId));
}

/** Invites the person and accepts. Returns the membership. */
export async function join(
  side: Side,
  owner: Pick<Person, 'token'>,
  { email, token }: Person,
  role: TeamRole,
): Promise<Record<string, unknown>> {
  const invited = await side.call('POST /v1/team/invites', { token: owner.token, body: { email, role } });
  const body = { token: await tokenOf(side, invited) };
  const accepted = await side.call('POST /v1/team/invites/accept', { token, body });
  if (accepted.status !== 201) throw new Error(`${email} did not join: ${accepted.text}`);
  return accepted.json;
}

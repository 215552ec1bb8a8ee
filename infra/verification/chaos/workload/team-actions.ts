import { parseId, toId, uuidOf, type MembershipId } from '../../../../contracts/ids.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import { lettersTo } from './people.ts';
import type { Action, Colleague, Player } from './player.ts';

const roles = ['member', 'admin', 'admin'] as const;

/** Members, or in one of six cases people without a membership. */
const withMember =
  (act: (player: Player, colleague: Colleague, random: Random) => Promise<unknown>): Action =>
  async (player, random) => {
    const members = player.colleagues.filter(({ isMember }) => isMember);
    const chosen = random.next() < 1 / 6 ? player.colleagues : members;
    if (chosen.length > 0) await act(player, random.pick(chosen), random);
  };

const withColleague =
  (act: (player: Player, colleague: Colleague, random: Random) => Promise<unknown>): Action =>
  async (player, random) => {
    if (player.colleagues.length > 0) await act(player, random.pick(player.colleagues), random);
  };

async function invite({ client }: Player, colleague: Colleague, random: Random): Promise<void> {
  const exchange = await client.call({
    action: 'invite',
    target: 'POST /v1/team/invites',
    body: { email: colleague.email, role: random.pick(roles) },
  });
  const id = parseId('invitation', String(answered(exchange, 'id')));
  if (id !== undefined) colleague.membershipId = toId('membership', uuidOf(id));
}

const accept = ({ client: { account } }: Player, { client }: Colleague, token: string): Promise<Exchange> =>
  client.call({
    action: 'accept-invitation',
    target: 'POST /v1/team/invites/accept',
    body: { token },
    on: account,
  });

/** The newest token that may still be valid. */
const tokenOf = (player: Player, { email, spent }: Colleague): string | undefined =>
  lettersTo(player, email).findLast(
    ({ template, token }) => template === 'team-invitation' && !spent.has(token),
  )?.token;

const settle = (colleague: Colleague, token: string, exchanges: readonly Exchange[]): void => {
  if (exchanges.some(({ answer }) => answer.kind !== 'unknown')) colleague.spent.add(token);
  if (exchanges.some(({ answer }) => answer.kind === 'done')) colleague.isMember = true;
};

/** Once, or twice at once. */
async function acceptInvitation(player: Player, colleague: Colleague, random: Random): Promise<void> {
  const token = tokenOf(player, colleague);
  if (token === undefined) return;
  const times = random.next() < 0.4 ? 2 : 1;
  const exchanges = Array.from({ length: times }, () => accept(player, colleague, token));
  settle(colleague, token, await Promise.all(exchanges));
}

const withdraw = ({ client }: Player, membershipId: MembershipId): Promise<Exchange> =>
  client.call({
    action: 'withdraw-invitation',
    target: `DELETE /v1/team/invites/${toId('invitation', uuidOf(membershipId))}`,
  });

async function withdrawWhileAccepting(player: Player, colleague: Colleague): Promise<void> {
  const { membershipId } = colleague;
  const token = tokenOf(player, colleague);
  if (token === undefined || membershipId === undefined) return;
  const [accepted] = await Promise.all([accept(player, colleague, token), withdraw(player, membershipId)]);
  settle(colleague, token, [accepted]);
}

/** Reads or writes on the owner's account. */
function act({ client: { account: on } }: Player, { client }: Colleague, random: Random): Promise<Exchange> {
  const call = { action: 'act-on-owner', on };
  if (random.next() < 0.5) {
    const path = random.pick(['/v1/sessions?limit=1', '/v1/account/me/organization']);
    return client.call({ ...call, target: `GET ${path}` });
  }
  const body = { display_name: `chaos ${random.between(1, 1_000_000)}` };
  return client.call({ ...call, target: 'PUT /v1/account/me/organization', body });
}

const remove = ({ client }: Player, membershipId: MembershipId): Promise<Exchange> =>
  client.call({ action: 'remove-member', target: `DELETE /v1/team/members/${membershipId}` });

/** Number of concurrent programs, and of requests that each makes after the removal was answered. */
const ACTING = 3;
const AFTERWARDS = 2;

async function removeUnderActs(player: Player, colleague: Colleague, random: Random): Promise<void> {
  const { membershipId } = colleague;
  if (membershipId === undefined) return;
  const removal = { isAnswered: false };
  const goOn = async (own: Random): Promise<void> => {
    for (let left = AFTERWARDS; left > 0;) {
      // Requests from here on are sent after the answer.
      if (removal.isAnswered) left -= 1;
      await act(player, colleague, own);
    }
  };
  // Fills every cache of the membership.
  await act(player, colleague, random);
  const programs = Array.from({ length: ACTING }, (_, index) => goOn(random.of(`program ${index}`)));
  const { answer } = await remove(player, membershipId).finally(() => (removal.isAnswered = true));
  if (answer.kind === 'done') colleague.isMember = false;
  await Promise.all(programs);
}

export const teamActions = {
  invite: withColleague(invite),
  'accept an invitation': withColleague(acceptInvitation),
  'withdraw an invitation while it is accepted': withColleague(withdrawWhileAccepting),
  'act on the owner’s account': withMember(act),
  'remove a member': withMember(removeUnderActs),
  'list the team': ({ client }) =>
    client.call({ action: 'list-team', target: 'GET /v1/team/members?limit=20' }),
} as const satisfies Readonly<Record<string, Action>>;

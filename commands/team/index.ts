import { invitedEmail, type TeamMemberEvent, type TeamRole } from '../../contracts/events/team-member.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import type { Invitation, Membership } from '../../contracts/resources/team.ts';
import {
  assertInvitable,
  roleOn,
  seatUuid,
  teamMember,
  type TeamMember,
  type TeamMemberCommand,
} from '../../domain/team-member.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { after } from '../../domain/kit/time.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { MailLimits } from '../../infra/rate-limits/mails.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { withOwnKey } from '../../infra/vault/own-key.ts';
import { mailboxOf, newAddressOf } from '../account/index.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import {
  now,
  ownedContext,
  ownedStep,
  stepContext,
  type Caller,
  type CommandContext,
} from '../engine/context.ts';
import { findOwned, type Existing } from '../engine/find-owned.ts';
import { release, reserve, reservedAt } from '../engine/reservations.ts';
import type { CommandPorts, RunOutcome } from '../engine/runner.ts';
import { createAddresses, type Addresses } from './addresses.ts';
import { isErased } from './erasure.ts';
import { invitationToken } from './invitation.ts';
import { invitationReservations } from './reservations.ts';

export { forgetEarlier, queueInvitation, type ForgettingPorts, type InvitationPorts } from './invitation.ts';
export { completeRemoval, type RemovalPorts } from './removal.ts';

export interface TeamPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** A uuid derived from the address, always the same, that does not reveal it. */
  readonly emailUuid: (email: string) => string;
  readonly tokens: Pick<OneTimeTokens, 'subjectOf' | 'matches'>;
  /** Lifetime of an invitation, in milliseconds. */
  readonly inviteTtlMs: number;
  readonly mails: MailLimits;
  /** Makes an account's reads wait for a position: the caller's request does it only for streams of the account it acts on. */
  readonly recordPosition: (accountId: AccountId, position: Position) => Promise<void>;
}

interface Ports extends TeamPorts {
  readonly addresses: Addresses;
}

/**
 * An invitation to the account's team, or a membership. Only `findInvitation` and `findMember` return one: they check the owner.
 */
type Seat = Existing<TeamMember>;

/** Commands on teams. */
export const createTeamCommands = (ports: TeamPorts) =>
  bindPorts(
    { ...ports, addresses: createAddresses(ports) },
    {
      invite,
      findInvitation,
      withdraw,
      accept,
      findMember,
      remove,
      role,
    },
  );

export type TeamCommands = ReturnType<typeof createTeamCommands>;

/**
 * Reserves a share of the quota, then records the invitation; after a crash in between, the reservation is reclaimed at the
 * limit. A reaction to the event queues the mail with the token.
 */
async function invite(
  ports: Ports,
  { accountId, tier }: Pick<Caller, 'accountId' | 'tier'>,
  given: { readonly email: string; readonly role: TeamRole },
  context: CommandContext,
): Promise<{ readonly invitation: Invitation; readonly position: Position | undefined }> {
  const { runner, vault, inviteTtlMs, emailUuid, addresses, mails } = ports;
  const email = newAddressOf(given.email);
  if ((await addresses.uuidOf(accountId)) === emailUuid(email))
    throw refuse('conflict', 'This is the address of the owner, who needs no membership.');
  const seat = seatUuid(accountId, emailUuid(email));
  const step = ownedStep(context, accountId, 'invite');
  const created_at = now(ports);
  const { state: before } = await runner.load(teamMember, seat);
  assertInvitable(before, created_at);
  const refusal =
    (await mails.invitationOf({ accountId, tier })) ??
    (await mails.toRecipient(emailUuid(mailboxOf(email)), 'mail:invitation'));
  if (refusal) throw refusal;
  const id = toId('invitation', seat);
  const share = { accountId, id, name: null, limit: tierLimits[tier].openInvitations, renew: true };
  await reserve(invitationReservations(ports), share, ownedContext(context, accountId));
  const expires_at = after(created_at, inviteTtlMs);
  const address = await withOwnKey(vault, step.commandId, invitedEmail, email);
  const command = {
    type: 'InviteMember',
    membershipId: toId('membership', seat),
    ownerAccountId: accountId,
    sealedEmail: await vault.seal(accountId, invitedEmail, address),
    role: given.role,
    tokenId: step.commandId,
    lapses: before.lapses,
    ...{ expiresAt: expires_at, at: created_at },
  } as const;
  const { position } = await runner.run(teamMember, seat, command, step);
  return { invitation: { id, email, role: given.role, expires_at, created_at }, position };
}

/** Throws `not-found` for a missing or foreign invitation and for an invalid id. */
const findInvitation = ({ runner }: Ports, accountId: AccountId, id: string): Promise<Seat> =>
  findOwned(runner, teamMember, 'invitation', accountId, id);

/** Throws `not-found` for a missing or foreign membership and for an invalid id. */
const findMember = ({ runner }: Ports, accountId: AccountId, id: string): Promise<Seat> =>
  findOwned(runner, teamMember, 'membership', accountId, id);

async function withdraw(ports: Ports, seat: Seat, context: CommandContext) {
  const command = { type: 'WithdrawInvitation', at: now(ports) } as const;
  const end = () => change(ports, seat, command, context, 'withdraw');
  return (await closing(ports, seat, end, context)).position;
}

/**
 * Ends an invitation, and releases its share of the quota unless it was reserved again meanwhile. After a crash in between, the
 * reservation is reclaimed at the limit.
 */
async function closing(
  ports: Ports,
  { membershipId, accountId }: Pick<Seat, 'membershipId' | 'accountId'>,
  close: () => Promise<RunOutcome<TeamMember, unknown>>,
  context: CommandContext,
) {
  const of = invitationReservations(ports);
  const id = toId('invitation', uuidOf(membershipId));
  const madeAt = await reservedAt(of, accountId, id);
  const closed = await close();
  if (closed.events.length === 0 || madeAt === undefined) return closed;
  const share = { accountId, id, name: null, madeAt };
  const { position = closed.position } = await release(of, share, ownedContext(context, accountId));
  return { ...closed, position };
}

/** Keys named in the event of a removal. A member can make more than fit into an event. */
const mostNamed = 1000;

/** Removes a member. The event names the member's keys and endpoints; with `revokes` the reaction to it ends all of them. */
async function remove(
  ports: Ports,
  seat: Seat,
  { made, revokes }: Pick<DataOf<TeamMemberEvent, 'TeamMemberRemoved'>, 'made' | 'revokes'>,
  context: CommandContext,
): Promise<Position | undefined> {
  const recorded = made && { ...made, apiKeys: made.apiKeys.slice(0, mostNamed) };
  const command = { type: 'RemoveMember', made: recorded, revokes, at: now(ports) } as const;
  const { state, position } = await change(ports, seat, command, context, 'remove');
  await recordForMember(ports, state, position);
  return position;
}

async function recordForMember({ recordPosition }: Ports, state: TeamMember, position: Position | undefined) {
  if ('memberAccountId' in state && position !== undefined)
    await recordPosition(state.memberAccountId, position);
}

const change = (
  { runner }: Ports,
  { membershipId, accountId }: Seat,
  command: TeamMemberCommand,
  context: CommandContext,
  name: string,
) => runner.run(teamMember, uuidOf(membershipId), command, ownedStep(context, accountId, name));

/**
 * Joins the team of an invitation. Using the token and joining are one event. Throws `invalid-auth-token`, and `forbidden` if
 * another address was invited.
 */
async function accept(
  ports: Ports,
  memberAccountId: AccountId,
  token: string,
  context: CommandContext,
): Promise<{ readonly membership: Membership; readonly position: Position | undefined }> {
  const { runner, tokens, addresses } = ports;
  const seat = tokens.subjectOf(token);
  if (seat === undefined) throw refuse('invalid-auth-token');
  const { state: invited } = await runner.load(teamMember, seat);
  if (invited.status !== 'invited' || !tokens.matches(token, invitationToken(seat, invited.tokenId)))
    throw refuse('invalid-auth-token');
  const { accountId, membershipId, tokenId } = invited;
  if (await isErased(ports, accountId)) throw refuse('invalid-auth-token');
  const isInvited = (await addresses.seatOf(accountId, memberAccountId)) === seat;
  const command = {
    type: 'AcceptInvitation',
    ...{ tokenId, memberAccountId, isInvited, at: now(ports) },
  } as const;
  const joining = stepContext(actingContext(context, accountId, memberAccountId), 'accept');
  const join = () => runner.run(teamMember, seat, command, joining);
  const { state, position } = await closing(ports, invited, join, joining);
  await Promise.all([
    recordForMember(ports, state, position),
    position && ports.recordPosition(accountId, position),
  ]);
  const role = roleOn(state, memberAccountId);
  if (role === undefined) throw new Error(`${membershipId} is ${state.status} once accepted`);
  return { membership: { owner_account_id: accountId, role, membership_id: membershipId }, position };
}

/**
 * The role of an account on the owner's team, undefined if none; read from the log, so it includes every acknowledged removal.
 */
async function role(
  { runner, addresses }: Ports,
  owner: AccountId,
  accountId: AccountId,
): Promise<TeamRole | undefined> {
  const seat = await addresses.seatOf(owner, accountId);
  return seat === undefined ? undefined : roleOn((await runner.load(teamMember, seat)).state, accountId);
}

/** The request's context on an owner's account; it names the acting account as well. */
export const actingContext = (
  context: CommandContext,
  owner: AccountId,
  actorId: AccountId,
): CommandContext => ({
  ...context,
  actor: { ...context.actor, account_id: owner, actor_account_id: actorId },
});

import { v5 as uuidv5 } from 'uuid';
import {
  accountInvitationsEvents,
  teamMemberEvents,
  type TeamMemberEvent,
  type TeamRole,
} from '../contracts/events/team-member.ts';
import { uuidOf, type AccountId, type MembershipId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { recordQuota } from './kit/quota.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

/** `accountId`: the owner's. */
interface Seat {
  readonly membershipId: MembershipId;
  readonly accountId: AccountId;
  readonly role: TeamRole;
}

/** Number of lapses. An invitation started at a lower number is refused. */
interface Fence {
  readonly lapses: number;
}

interface Member extends Seat {
  readonly status: 'joined' | 'removed';
  readonly memberAccountId: AccountId;
}

interface Invited extends Seat {
  readonly status: 'invited';
  readonly tokenId: string;
  readonly expiresAt: string;
}

/**
 * | status    | InviteMember      | WithdrawInvitation | AcceptInvitation   | RemoveMember | EndForErasure         |
 * | --------- | ----------------- | ------------------ | ------------------ | ------------ | --------------------- |
 * | none      | invited           | not-found          | invalid-auth-token | not-found    | –                     |
 * | invited   | conflict, or anew | withdrawn          | joined             | not-found    | withdrawn (of owner)  |
 * | withdrawn | invited           | –                  | invalid-auth-token | not-found    | –                     |
 * | joined    | conflict          | not-found          | invalid-auth-token | removed      | removed (of either)   |
 * | removed   | invited           | not-found          | invalid-auth-token | –            | –                     |
 *
 * An expired invitation counts as none. `LapseInvitation` and `ExpireInvitation` leave the status as it is. The first causes the
 * refusal of a request that is still running, if no invitation is open; the second records that one has expired.
 */
export type TeamMember = Fence &
  ({ readonly status: 'none' } | Invited | ({ readonly status: 'withdrawn' } & Seat) | Member);

export type TeamMemberCommand = CommandsOf<{
  /** `lapses`: its value before the quota was reserved. */
  InviteMember: Omit<DataOf<TeamMemberEvent, 'TeamMemberInvited'>, 'at'> & Fence;
  /** The quota reserved for the invitation is released for another one. */
  LapseInvitation: Omit<DataOf<TeamMemberEvent, 'TeamInvitationLapsed'>, 'at'>;
  /** Does nothing unless the latest invitation was neither accepted nor withdrawn, and its time is over. */
  ExpireInvitation: unknown;
  WithdrawInvitation: unknown;
  AcceptInvitation: {
    /** Id of the invitation, from a verified token. */
    tokenId: string;
    memberAccountId: AccountId;
    /** Whether the invited address is that account's. */
    isInvited: boolean;
  };
  RemoveMember: Pick<DataOf<TeamMemberEvent, 'TeamMemberRemoved'>, 'made' | 'revokes'>;
  /** Does nothing unless the membership is of the erased account: another account may have the address since. */
  EndForErasure: { erasedAccountId: AccountId };
}>;

export const isOpen = (state: TeamMember, at: string): state is Invited & Fence =>
  state.status === 'invited' && isBefore(at, state.expiresAt);

/** Refuses `conflict` for a member, and for an address whose invitation is open. */
export function assertInvitable(state: TeamMember, at: string): void {
  if (state.status === 'joined')
    throw refuse('conflict', 'This address already belongs to a member of the team.');
  if (isOpen(state, at))
    throw refuse('conflict', 'This address has an invitation that is still open. Withdraw it first.');
}

const seatOf = ({ membershipId, accountId }: Seat) => ({ membershipId, ownerAccountId: accountId });

const rules: Rules<TeamMember, TeamMemberCommand, TeamMemberEvent> = {
  InviteMember(state, { type: _, lapses, ...data }) {
    assertInvitable(state, data.at);
    if (lapses !== state.lapses)
      throw refuse('conflict', 'The request took too long and no invitation was sent. It may be sent again.');
    return [{ type: 'TeamMemberInvited', data }];
  },
  LapseInvitation: (state, { type: _, ...data }) =>
    isOpen(state, data.at) ? [] : [{ type: 'TeamInvitationLapsed', data }],
  ExpireInvitation: (state, { at }) =>
    state.status !== 'invited' || isOpen(state, at)
      ? []
      : [{ type: 'TeamInvitationLapsed', data: { ...seatOf(state), at } }],
  WithdrawInvitation(state, { at }) {
    if (state.status === 'withdrawn') return [];
    if (!isOpen(state, at)) throw refuse('not-found');
    return [{ type: 'TeamInvitationWithdrawn', data: { ...seatOf(state), at } }];
  },
  AcceptInvitation(state, { tokenId, memberAccountId, isInvited, at }) {
    if (!isOpen(state, at) || state.tokenId !== tokenId) throw refuse('invalid-auth-token');
    if (!isInvited)
      throw refuse(
        'forbidden',
        'The invitation is for another address. Sign in with the account of the invited address.',
      );
    const { role } = state;
    return [{ type: 'TeamMemberJoined', data: { ...seatOf(state), accountId: memberAccountId, role, at } }];
  },
  RemoveMember(state, { made, revokes, at }) {
    if (state.status === 'removed') return [];
    if (state.status !== 'joined') throw refuse('not-found');
    return [removal(state, { made, revokes, at })];
  },
  EndForErasure(state, { erasedAccountId, at }) {
    if (isOpen(state, at) && state.accountId === erasedAccountId)
      return [{ type: 'TeamInvitationWithdrawn', data: { ...seatOf(state), at } }];
    if (state.status !== 'joined') return [];
    return [state.accountId, state.memberAccountId].includes(erasedAccountId)
      ? [removal(state, { made: null, revokes: false, at })]
      : [];
  },
};

const removal = (
  state: Member,
  how: Pick<DataOf<TeamMemberEvent, 'TeamMemberRemoved'>, 'made' | 'revokes' | 'at'>,
): TeamMemberEvent => ({
  type: 'TeamMemberRemoved',
  data: { ...seatOf(state), accountId: state.memberAccountId, ...how },
});

/** The open invitations of an account. A share is reserved before an address is invited. */
export const invitationQuota = recordQuota(
  accountInvitationsEvents,
  'Invitation',
  'invitation',
  (limit) => `All ${limit} invitations are open. Withdraw one first, or wait until one has expired.`,
);

/** One address on one owner's team: invited once at a time, and a member once. */
export const teamMember: Decider<TeamMember, TeamMemberCommand, TeamMemberEvent> = {
  category: teamMemberEvents,
  initialState: { status: 'none', lapses: 0 },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: TeamMember, { type, data }: TeamMemberEvent): TeamMember {
  const { lapses } = state;
  if (type === 'TeamInvitationLapsed') return { ...state, lapses: lapses + 1 };
  if (type === 'TeamMemberInvited') {
    const { membershipId, ownerAccountId: accountId, role, tokenId, expiresAt } = data;
    return { status: 'invited', membershipId, accountId, role, tokenId, expiresAt, lapses };
  }
  if (state.status === 'none') return state;
  const { membershipId, accountId, role } = state;
  const seat = { membershipId, accountId, role, lapses };
  switch (type) {
    case 'TeamInvitationWithdrawn':
      return { ...seat, status: 'withdrawn' };
    case 'TeamMemberJoined':
      return { ...seat, status: 'joined', memberAccountId: data.accountId };
    case 'TeamMemberRemoved':
      return { ...seat, status: 'removed', memberAccountId: data.accountId };
  }
}

/** The stream of an address on an owner's team. `emailUuid` is the keyed uuid of the address. */
export const seatUuid = (owner: AccountId, emailUuid: string): string => uuidv5(emailUuid, uuidOf(owner));

/** The account's present role on the team; undefined if it is no member. */
export const roleOn = (state: TeamMember, accountId: AccountId): TeamRole | undefined =>
  state.status === 'joined' && state.memberAccountId === accountId ? state.role : undefined;

import { expect } from 'chai';
import type { TeamMemberEvent } from '../contracts/events/team-member.ts';
import { toId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { roleOn, teamMember, type TeamMember, type TeamMemberCommand } from './team-member.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ada = toId('account', uuid(2));
const other = toId('account', uuid(3));
const at = '2026-01-05T12:00:00.000Z';
const expiresAt = '2026-01-12T12:00:00.000Z';
const beforeExpiry = '2026-01-12T11:59:59.999Z';
const seat = { membershipId: toId('membership', uuid(9)), ownerAccountId: toId('account', uuid(1)) };
const invited = {
  ...seat,
  sealedEmail: 'sealed1.ada',
  role: 'member',
  tokenId: uuid(11),
  expiresAt,
} as const;

/** Removal of a member that has created nothing. */
const leaving = { made: { apiKeys: [], webhooks: [] }, revokes: false };

const events = eventBuilders<TeamMemberEvent>({
  TeamMemberInvited: { ...invited, at },
  TeamInvitationWithdrawn: { ...seat, at },
  TeamInvitationLapsed: { ...seat, at },
  TeamMemberJoined: { ...seat, accountId: ada, role: 'member', at },
  TeamMemberRemoved: { ...seat, accountId: ada, ...leaving, at },
});
const commands = commandBuilders<TeamMemberCommand>({
  InviteMember: { ...invited, lapses: 0, at },
  LapseInvitation: { ...seat, at },
  ExpireInvitation: { at: expiresAt },
  WithdrawInvitation: { at },
  AcceptInvitation: { tokenId: uuid(11), memberAccountId: ada, isInvited: true, at },
  RemoveMember: { ...leaving, at },
  EndForErasure: { erasedAccountId: ada, at },
});
const { given } = deciderSpec(teamMember);
const member = [events.TeamMemberInvited(), events.TeamMemberJoined()];

describe('an address on a team', () => {
  it('is invited, and joins in the role it was invited as', () => {
    given().when(commands.InviteMember()).then(events.TeamMemberInvited());
    given(events.TeamMemberInvited({ role: 'admin' }))
      .when(commands.AcceptInvitation())
      .then(events.TeamMemberJoined({ role: 'admin' }));
  });

  it('is not invited by a request whose share was given to another one meanwhile', () => {
    const ended = [
      [],
      [events.TeamMemberInvited({ expiresAt: at })],
      [events.TeamMemberInvited(), events.TeamInvitationWithdrawn()],
      [...member, events.TeamMemberRemoved()],
    ];
    for (const past of ended) {
      given(...past)
        .when(commands.LapseInvitation())
        .then(events.TeamInvitationLapsed());
      given(...past, events.TeamInvitationLapsed())
        .when(commands.InviteMember())
        .refused('conflict');
      given(...past, events.TeamInvitationLapsed())
        .when(commands.InviteMember({ lapses: 1 }))
        .then(events.TeamMemberInvited());
    }
    given(events.TeamMemberInvited()).when(commands.LapseInvitation()).nothing();
  });

  it('has an invitation recorded as expired if it was neither accepted nor withdrawn', () => {
    given(events.TeamMemberInvited())
      .when(commands.ExpireInvitation())
      .then(events.TeamInvitationLapsed({ at: expiresAt }));
    given(events.TeamMemberInvited())
      .when(commands.ExpireInvitation({ at: beforeExpiry }))
      .nothing();
    for (const past of [
      [],
      [events.TeamMemberInvited(), events.TeamInvitationWithdrawn()],
      member,
      [...member, events.TeamMemberRemoved()],
    ])
      given(...past)
        .when(commands.ExpireInvitation())
        .nothing();
  });

  it('has one open invitation at a time', () => {
    given(events.TeamMemberInvited())
      .when(commands.InviteMember({ at: beforeExpiry }))
      .refused('conflict');
    given(events.TeamMemberInvited())
      .when(commands.InviteMember({ at: expiresAt }))
      .then(events.TeamMemberInvited({ at: expiresAt }));
    given(events.TeamMemberInvited(), events.TeamInvitationWithdrawn())
      .when(commands.InviteMember())
      .then(events.TeamMemberInvited());
  });

  it('is not invited while it is a member, and again once it is removed', () => {
    given(...member)
      .when(commands.InviteMember())
      .refused('conflict');
    given(...member, events.TeamMemberRemoved())
      .when(commands.InviteMember())
      .then(events.TeamMemberInvited());
  });

  it('joins by the token of its latest invitation only, until that expires', () => {
    const anew = events.TeamMemberInvited({
      tokenId: uuid(12),
      at: expiresAt,
      expiresAt: '2026-01-19T12:00:00.000Z',
    });
    given(events.TeamMemberInvited(), anew)
      .when(commands.AcceptInvitation({ at: expiresAt }))
      .refused('invalid-auth-token');
    given(events.TeamMemberInvited(), anew)
      .when(commands.AcceptInvitation({ at: expiresAt, tokenId: uuid(12) }))
      .then(events.TeamMemberJoined({ at: expiresAt }));
    given(events.TeamMemberInvited())
      .when(commands.AcceptInvitation({ at: beforeExpiry }))
      .then(events.TeamMemberJoined({ at: beforeExpiry }));
    given(events.TeamMemberInvited())
      .when(commands.AcceptInvitation({ at: expiresAt }))
      .refused('invalid-auth-token');
  });

  it('joins once by a token, and not by one that was withdrawn or never given', () => {
    given(...member)
      .when(commands.AcceptInvitation())
      .refused('invalid-auth-token');
    given(...member, events.TeamMemberRemoved())
      .when(commands.AcceptInvitation())
      .refused('invalid-auth-token');
    given(events.TeamMemberInvited(), events.TeamInvitationWithdrawn())
      .when(commands.AcceptInvitation())
      .refused('invalid-auth-token');
    given().when(commands.AcceptInvitation()).refused('invalid-auth-token');
  });

  it("does not join as the account of another address; only the token's holder gets that reason", () => {
    given(events.TeamMemberInvited())
      .when(commands.AcceptInvitation({ isInvited: false }))
      .refused('forbidden');
    given(events.TeamMemberInvited())
      .when(commands.AcceptInvitation({ isInvited: false, tokenId: uuid(13) }))
      .refused('invalid-auth-token');
  });

  it('has an invitation withdrawn only while it is open', () => {
    given(events.TeamMemberInvited())
      .when(commands.WithdrawInvitation())
      .then(events.TeamInvitationWithdrawn());
    given(events.TeamMemberInvited())
      .when(commands.WithdrawInvitation({ at: expiresAt }))
      .refused('not-found');
    given(events.TeamMemberInvited(), events.TeamInvitationWithdrawn())
      .when(commands.WithdrawInvitation())
      .nothing();
    given(...member)
      .when(commands.WithdrawInvitation())
      .refused('not-found');
    given().when(commands.WithdrawInvitation()).refused('not-found');
  });

  it('is removed once, and only as a member', () => {
    given(...member)
      .when(commands.RemoveMember())
      .then(events.TeamMemberRemoved());
    const how = {
      made: { apiKeys: [toId('apiKey', uuid(4))], webhooks: [toId('webhook', uuid(5))] },
      revokes: true,
    };
    given(...member)
      .when(commands.RemoveMember(how))
      .then(events.TeamMemberRemoved(how));
    given(...member, events.TeamMemberRemoved())
      .when(commands.RemoveMember(how))
      .nothing();
    given(events.TeamMemberInvited()).when(commands.RemoveMember()).refused('not-found');
    given().when(commands.RemoveMember()).refused('not-found');
  });

  it('ends with the erasure of its member or its owner, and of no other account', () => {
    for (const erasedAccountId of [ada, seat.ownerAccountId])
      given(...member)
        .when(commands.EndForErasure({ erasedAccountId }))
        .then(events.TeamMemberRemoved({ made: null }));
    given(events.TeamMemberInvited())
      .when(commands.EndForErasure({ erasedAccountId: seat.ownerAccountId }))
      .then(events.TeamInvitationWithdrawn());
    given(events.TeamMemberInvited()).when(commands.EndForErasure()).then();
    given(...member)
      .when(commands.EndForErasure({ erasedAccountId: other }))
      .then();
    given(...member, events.TeamMemberRemoved())
      .when(commands.EndForErasure())
      .then();
    given().when(commands.EndForErasure()).then();
  });

  it('gives its role to the account that joined, and to no other, as long as it is a member', () => {
    const after = (...past: readonly TeamMemberEvent[]): TeamMember =>
      past.reduce(teamMember.evolve, teamMember.initialState);
    expect(roleOn(after(), ada)).to.equal(undefined);
    expect(roleOn(after(events.TeamMemberInvited()), ada)).to.equal(undefined);
    expect(roleOn(after(...member), ada)).to.equal('member');
    expect(roleOn(after(...member), other)).to.equal(undefined);
    expect(roleOn(after(...member, events.TeamMemberRemoved()), ada)).to.equal(undefined);
  });
});

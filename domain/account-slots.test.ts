import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountSlotsEvent } from '../contracts/events/account-slots.ts';
import { toId } from '../contracts/ids.ts';
import { Refusal } from '../contracts/problems.ts';
import { commandBuilders, deciderSpec, eventBuilders, reactionSpec } from './testing/index.ts';
import { timersOf } from './kit/timer.ts';
import { accountSlots, type AccountSlots, type AccountSlotsCommand } from './account-slots.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-00000000000${n}`;
const accountId = toId('account', uuid(1));
const first = toId('session', uuid(1));
const second = toId('session', uuid(2));
const profileId = toId('profile', uuid(1));
const reservation = {
  accountId,
  sessionId: first,
  profileId: null,
  leaseExpiresAt: '2026-01-05T12:01:00.000Z',
  at: '2026-01-05T12:00:00.000Z',
};
const release = { accountId, sessionId: first, at: '2026-01-05T12:10:00.000Z' };

const { SlotReserved, SlotReleased } = eventBuilders<AccountSlotsEvent>({
  SlotReserved: reservation,
  SlotReleased: release,
});
const { ReserveSlot, ReleaseSlot } = commandBuilders<AccountSlotsCommand>({
  ReserveSlot: { ...reservation, limit: 1 },
  ReleaseSlot: release,
});
const { given } = deciderSpec(accountSlots);

describe('concurrent slots', () => {
  it('are reserved under the cap', () => {
    given().when(ReserveSlot()).then(SlotReserved());
    given(SlotReserved())
      .when(ReserveSlot({ sessionId: second, limit: 2 }))
      .then(SlotReserved({ sessionId: second }));
  });
  it('are refused at the cap, saying how many are in use and how many there are', () => {
    given(SlotReserved())
      .when(ReserveSlot({ sessionId: second }))
      .refused('concurrency-limit', { current_sessions: 1, limit: 1 });
  });
  it('are released with the refusal of a session that was never requested', () => {
    given(SlotReserved())
      .when(ReleaseSlot({ refusal: 'driver-not-integrated' }))
      .then(SlotReleased({ refusal: 'driver-not-integrated' }));
  });
  it('stay refused while more are in use than a lowered cap allows', () => {
    given(SlotReserved(), SlotReserved({ sessionId: second }))
      .when(ReserveSlot({ sessionId: toId('session', uuid(3)), limit: 1 }))
      .refused('concurrency-limit', { current_sessions: 2, limit: 1 });
  });
  it('are free again once released', () => {
    given(SlotReserved()).when(ReleaseSlot()).then(SlotReleased());
    given(SlotReserved(), SlotReleased())
      .when(ReserveSlot({ sessionId: second }))
      .then(SlotReserved({ sessionId: second }));
  });
  it('are released and reserved once only', () => {
    given().when(ReleaseSlot()).nothing();
    given(SlotReserved(), SlotReleased()).when(ReleaseSlot()).nothing();
    given(SlotReserved()).when(ReserveSlot()).nothing();
  });
});

describe('a reservation', () => {
  it('sets the due time of its lease', () => {
    const { when } = reactionSpec(timersOf);
    when(SlotReserved()).then({ id: `slot_lease-${first}`, dueAt: reservation.leaseExpiresAt });
    when(SlotReleased()).nothing();
  });
});

describe('a profile', () => {
  it('has one live session at a time', () => {
    given(SlotReserved({ profileId }))
      .when(ReserveSlot({ sessionId: second, profileId, limit: 8 }))
      .refused('profile-in-use', { active_session_id: first });
  });
  it('is free again after that session', () => {
    given(SlotReserved({ profileId }), SlotReleased())
      .when(ReserveSlot({ sessionId: second, profileId }))
      .then(SlotReserved({ sessionId: second, profileId }));
  });
});

describe('slots under any sequence of commands', () => {
  const sessionId = fc.integer({ min: 1, max: 6 }).map((n) => toId('session', uuid(n)));
  const profile = fc.option(fc.integer({ min: 1, max: 2 }).map((n) => toId('profile', uuid(n))));
  const command: fc.Arbitrary<AccountSlotsCommand> = fc.oneof(
    fc.record({ sessionId, profileId: profile }).map((fields) => ReserveSlot({ ...fields, limit: 3 })),
    sessionId.map((id) => ReleaseSlot({ sessionId: id })),
  );

  it('never exceed the cap, never hold a profile twice, and replay to the same state', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (sequence) => {
        const history: AccountSlotsEvent[] = [];
        let state = accountSlots.initialState;
        for (const each of sequence) {
          const decided = decideOrRefuse(each, state);
          history.push(...decided);
          state = decided.reduce(accountSlots.evolve, state);
          const profiles = state.slots.flatMap((slot) => slot.profileId ?? []);
          expect(state.slots.length).to.be.at.most(3);
          expect(new Set(profiles).size).to.equal(profiles.length);
        }
        expect(history.reduce(accountSlots.evolve, accountSlots.initialState)).to.deep.equal(state);
      }),
    );
  });
});

function decideOrRefuse(command: AccountSlotsCommand, state: AccountSlots): readonly AccountSlotsEvent[] {
  try {
    return accountSlots.decide(command, state);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

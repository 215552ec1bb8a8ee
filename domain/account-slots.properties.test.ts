import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { accountSlots } from './account-slots.ts';

const about = { accountId: idOf('account', 1), sessionId: idOf('session', 5), at: time };
const reserve = fc.record({
  type: fc.constant('ReserveSlot' as const),
  ...about,
  profileId: fc.option(idOf('profile', 2)),
  limit: fc.integer({ min: -1, max: 4 }),
  leaseExpiresAt: time,
});
const release = fc.record({ type: fc.constant('ReleaseSlot' as const), ...about });

describeDecider('an account’s slots under any sequence of commands', {
  decider: accountSlots,
  command: fc.oneof(reserve, reserve, release),
  statusOf: ({ slots }) => (slots.length === 0 ? 'free' : 'held'),
  transitions: [
    ['free', 'SlotReserved', 'held'],
    ['held', 'SlotReserved', 'held'],
    ['held', 'SlotReleased', 'held'],
    ['held', 'SlotReleased', 'free'],
  ],
  invariant: ({ slots }, command) => {
    if (command.type === 'ReserveSlot') assert.ok(slots.length <= command.limit, 'more than the cap');
    const profiles = slots.flatMap(({ profileId }) => profileId ?? []);
    assert.equal(new Set(profiles).size, profiles.length, 'a profile has two live sessions');
    assert.equal(new Set(slots.map(({ sessionId }) => sessionId)).size, slots.length);
  },
});

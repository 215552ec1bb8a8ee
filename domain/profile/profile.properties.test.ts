import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idOf, laterTime, time } from '../testing/arbitraries.ts';
import { describeDecider } from '../testing/decider-properties.ts';
import { profile, type ProfileCommand } from './profile.ts';
import { isPresent, type Profile } from './state.ts';
import { commands, savedState } from './testing.ts';

const sessionId = idOf('session', 2);
const account = idOf('account');
const state = fc
  .record({ generation: fc.integer({ min: 1, max: 2 }), copy: fc.integer({ min: 1, max: 3 }) })
  .map(({ generation, copy }) => ({ ...savedState(generation), blob: `${generation} ${copy}` }));
const changes = fc.record(
  { name: fc.constantFrom('a', 'b'), description: fc.constantFrom('x', null) },
  { requiredKeys: [] },
);

/** All commands but the recording of an export, each of which is new. */
type Repeatable = Exclude<ProfileCommand['type'], 'RecordExport'>;

const byType: Readonly<Record<Repeatable, fc.Arbitrary<ProfileCommand>>> = {
  CreateProfile: fc.record({ at: time }).map(commands.CreateProfile),
  WithdrawProfile: fc.record({ at: time }).map(commands.WithdrawProfile),
  ChangeProfile: fc.record({ changes, at: time }).map(commands.ChangeProfile),
  TrashProfile: fc.record({ purgeAt: fc.oneof(time, laterTime), at: time }).map(commands.TrashProfile),
  RestoreProfile: fc.record({ reservedAt: laterTime, at: time }).map(commands.RestoreProfile),
  LapseReservation: fc.record({ since: time, at: time }).map(commands.LapseReservation),
  PurgeProfile: fc
    .record({ cause: fc.constantFrom('customer', 'retention', 'erasure'), at: time })
    .map(commands.PurgeProfile),
  BindProfile: fc.record({ sessionId, at: time }).map(commands.BindProfile),
  ReleaseProfile: fc.record({ sessionId, at: time }).map(commands.ReleaseProfile),
  StartSave: fc
    .record({ sessionId, leaseExpiresAt: fc.oneof(time, laterTime), at: time })
    .map(commands.StartSave),
  SaveState: fc.record({ sessionId, state, at: time }).map(commands.SaveState),
  FailSave: fc.record({ sessionId, at: time }).map(commands.FailSave),
  ExpireSave: fc.record({ at: fc.oneof(time, laterTime) }).map(commands.ExpireSave),
  TrimProfile: fc
    .record({ of: fc.integer({ min: 1, max: 2 }), copy: fc.integer({ min: 1, max: 3 }), at: time })
    .map(({ of, copy, at }) =>
      commands.TrimProfile({ of, state: { ...savedState(of + 1), blob: `trim ${of} ${copy}` }, at }),
    ),
  OfferTransfer: fc
    .record({ toAccountId: account, expiresAt: fc.oneof(time, laterTime), at: time })
    .map(commands.OfferTransfer),
  AcceptTransfer: fc
    .record({ accountId: account, reservedAt: laterTime, at: time })
    .map(commands.AcceptTransfer),
};
const savesAndTrims = [
  ...(['BindProfile', 'StartSave', 'SaveState', 'SaveState'] as const),
  ...(['BindProfile', 'StartSave', 'TrimProfile', 'TrimProfile'] as const),
];
const often: readonly Repeatable[] = [
  ...Array.from({ length: 6 }, () => 'CreateProfile' as const),
  ...savesAndTrims,
  ...savesAndTrims,
  ...(['OfferTransfer', 'OfferTransfer', 'AcceptTransfer', 'AcceptTransfer', 'AcceptTransfer'] as const),
  ...(['TrashProfile', 'TrashProfile', 'RestoreProfile'] as const),
];

type Status = 'none' | 'withdrawn' | 'free' | 'live' | 'saving' | 'trashed' | 'purged';
const statusOf = (each: Profile): Status => (each.status === 'active' ? each.use.kind : each.status);

const kept = ['free', 'live', 'saving'] as const;

/** The generation only grows: a state replaces the previous one. */
let newest = 0;
describeDecider('a profile under any sequence of commands', {
  decider: profile,
  command: fc.oneof(...Object.values(byType), ...often.map((type) => byType[type])),
  statusOf,
  transitions: [
    ['none', 'ProfileCreated', 'free'],
    ['none', 'ProfileWithdrawn', 'withdrawn'],
    ...kept.map((each) => [each, 'ProfileChanged', each] as const),
    ...[...kept, 'trashed' as const].map((each) => [each, 'ProfileReservationLapsed', each] as const),
    ['free', 'ProfileTrashed', 'trashed'],
    ['saving', 'ProfileTrashed', 'trashed'],
    ['trashed', 'StateSaved', 'trashed'],
    ['trashed', 'StateSaveFailed', 'trashed'],
    ['trashed', 'ProfileRestored', 'free'],
    ['trashed', 'ProfileRestored', 'saving'],
    ['trashed', 'ProfilePurged', 'purged'],
    ...kept.map((each) => [each, 'ProfilePurged', 'purged'] as const),
    ['free', 'ProfileBound', 'live'],
    ['live', 'ProfileReleased', 'free'],
    ['live', 'StateSaveStarted', 'saving'],
    ['saving', 'StateSaved', 'free'],
    ['saving', 'StateSaveFailed', 'free'],
    ['free', 'ProfileTrimmed', 'free'],
    ['free', 'ProfileTransferOffered', 'free'],
    ['free', 'ProfileHandedOver', 'free'],
    ['free', 'ProfileTransferred', 'free'],
  ],
  invariant: (after, command) => {
    if (command.type === 'CreateProfile') newest = 0;
    if (!isPresent(after)) return;
    const generation = after.state?.generation ?? 0;
    assert.ok(generation >= newest, `generation ${generation} after ${newest}`);
    newest = generation;
    if (after.status === 'trashed') assert.notEqual(after.use.kind, 'live');
    if (after.use.kind === 'saving') assert.equal(after.use.generation ?? 0, generation);
  },
});

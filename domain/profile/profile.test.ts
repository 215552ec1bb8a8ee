import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { profile } from './profile.ts';
import {
  accountId,
  at,
  commands,
  events,
  expiresAt,
  leaseExpiresAt,
  otherAccount,
  purgeAt,
  savedState,
  sessionId,
} from './testing.ts';

const { given } = deciderSpec(profile);
const created = events.ProfileCreated();
const trashed = [created, events.ProfileTrashed()];
const live = [created, events.ProfileBound()];
const saving = [...live, events.StateSaveStarted()];
const saved = [...saving, events.StateSaved()];
const inUse = { active_session_id: sessionId };

describe('a profile', () => {
  it('is created once; the same command again makes no event', () => {
    given().when(commands.CreateProfile()).then(created);
    given(created).when(commands.CreateProfile()).nothing();
  });

  it('that was withdrawn is never created', () => {
    given().when(commands.WithdrawProfile()).then(events.ProfileWithdrawn());
    given(created).when(commands.WithdrawProfile()).nothing();
    given(events.ProfileWithdrawn()).when(commands.CreateProfile()).refused('conflict');
  });

  it('records only what a change changes', () => {
    given(created).when(commands.ChangeProfile()).then(events.ProfileChanged());
    given(created)
      .when(commands.ChangeProfile({ changes: { name: 'Work', description: 'new' } }))
      .then(events.ProfileChanged({ changes: { description: 'new' } }));
    given(created, events.ProfileChanged()).when(commands.ChangeProfile()).nothing();
  });

  it('may be changed while a session uses it', () => {
    given(...live)
      .when(commands.ChangeProfile())
      .then(events.ProfileChanged());
  });

  it('is moved to the trash once, and restored once', () => {
    given(created).when(commands.TrashProfile()).then(events.ProfileTrashed());
    given(...trashed)
      .when(commands.TrashProfile())
      .nothing();
    given(...trashed)
      .when(commands.RestoreProfile())
      .then(events.ProfileRestored());
    given(created).when(commands.RestoreProfile()).nothing();
  });

  it('is not trimmed, exported or offered while a session uses it', () => {
    for (const history of [live, saving])
      for (const command of [commands.TrimProfile(), commands.RecordExport(), commands.OfferTransfer()])
        given(...history)
          .when(command)
          .refused('profile-in-use', inUse);
  });

  it('is not moved to the trash while its session lives; it is saved in the trash, and restored with that state', () => {
    given(...live)
      .when(commands.TrashProfile())
      .refused('profile-in-use', inUse);
    given(...saving)
      .when(commands.TrashProfile())
      .then(events.ProfileTrashed());
    const gone = [...saving, events.ProfileTrashed()];
    const detail = 'The state did not arrive in time.';
    given(...gone)
      .when(commands.SaveState())
      .then(events.StateSaved());
    given(...gone)
      .when(commands.ExpireSave())
      .then(events.StateSaveFailed({ reason: 'upload_failed', detail, at: leaseExpiresAt }));
    given(...gone)
      .when(commands.RestoreProfile())
      .leaves((state) => expect(state).to.have.nested.property('use.kind', 'saving'));
    given(...gone, events.StateSaved())
      .when(commands.RestoreProfile())
      .leaves((state) => expect(state).to.deep.include({ status: 'active', state: savedState(1) }));
  });

  it('in the trash is not changed, launched, trimmed, exported or transferred', () => {
    for (const command of [
      commands.ChangeProfile(),
      commands.BindProfile(),
      commands.TrimProfile(),
      commands.RecordExport(),
      commands.OfferTransfer(),
      commands.AcceptTransfer(),
    ])
      given(...trashed)
        .when(command)
        .refused('not-found');
  });

  it('is purged by its owner only from the trash', () => {
    given(created).when(commands.PurgeProfile()).refused('conflict');
    given(...trashed)
      .when(commands.PurgeProfile())
      .then(events.ProfilePurged());
    given(...trashed, events.ProfilePurged())
      .when(commands.PurgeProfile())
      .nothing();
    given().when(commands.PurgeProfile()).refused('not-found');
  });

  it('is purged automatically once it is due, and not after it was restored', () => {
    const due = commands.PurgeProfile({ cause: 'retention', at: purgeAt });
    const purged = events.ProfilePurged({ cause: 'retention', at: purgeAt });
    given(...trashed)
      .when(due)
      .then(purged);
    given(...trashed)
      .when(commands.PurgeProfile({ cause: 'retention' }))
      .nothing();
    given(...trashed, events.ProfileRestored())
      .when(due)
      .nothing();
  });

  it('of an erased account is purged even while it is in use', () => {
    for (const history of [[created], trashed, live, saving])
      given(...history)
        .when(commands.PurgeProfile({ cause: 'erasure' }))
        .then(events.ProfilePurged({ cause: 'erasure' }));
  });

  it('has neither name nor description once it was purged', () => {
    const described = events.ProfileChanged({ changes: { description: 'of a friend' } });
    given(created, described, events.ProfileTrashed())
      .when(commands.PurgeProfile())
      .leaves((state) => expect(state).to.include({ status: 'purged', name: '', description: null }));
  });

  it('is not found once it was purged', () => {
    for (const command of [commands.ChangeProfile(), commands.TrashProfile(), commands.RestoreProfile()])
      given(...trashed, events.ProfilePurged())
        .when(command)
        .refused('not-found');
  });
});

describe('a profile that is transferred', () => {
  const offered = [created, events.ProfileTransferOffered()];
  const handedOver = events.ProfileHandedOver();
  const given_ = [...offered, handedOver, events.ProfileTransferred()];

  it('takes neither name nor share whose reservation has lapsed', () => {
    const lapse = events.ProfileReservationLapsed();
    given(created).when(commands.LapseReservation()).then(lapse);
    given(created, lapse).when(commands.LapseReservation()).nothing();
    given().when(commands.LapseReservation()).nothing();
    const late = { reservedAt: at };
    const inTime = { reservedAt: leaseExpiresAt };
    given(...trashed, lapse)
      .when(commands.RestoreProfile(late))
      .refused('conflict');
    given(...trashed, lapse)
      .when(commands.RestoreProfile(inTime))
      .then(events.ProfileRestored());
    given(created, lapse).when(commands.ChangeProfile(late)).refused('conflict');
    given(created, lapse).when(commands.ChangeProfile(inTime)).then(events.ProfileChanged());
    const changes = { description: 'new' };
    given(created, lapse).when(commands.ChangeProfile({ changes })).then(events.ProfileChanged({ changes }));
    given(...offered, lapse)
      .when(commands.AcceptTransfer(late))
      .refused('conflict');
    given(...offered, lapse)
      .when(commands.AcceptTransfer(inTime))
      .then(handedOver, events.ProfileTransferred());
  });

  it('is offered to one account at a time', () => {
    given(created).when(commands.OfferTransfer()).then(events.ProfileTransferOffered());
    given(...offered)
      .when(commands.OfferTransfer())
      .nothing();
    given(...offered, events.ProfileTransferOffered({ toAccountId: accountId }))
      .when(commands.AcceptTransfer())
      .refused('not-found');
  });

  it('is accepted by the account that it was offered to, in time', () => {
    given(...offered)
      .when(commands.AcceptTransfer())
      .then(handedOver, events.ProfileTransferred());
    given(...offered)
      .when(commands.AcceptTransfer({ at: expiresAt }))
      .refused('not-found');
    given(...offered)
      .when(commands.AcceptTransfer({ accountId }))
      .refused('not-found');
    given(created).when(commands.AcceptTransfer()).refused('not-found');
    given(...given_)
      .when(commands.AcceptTransfer())
      .nothing();
  });

  it('is accepted only under the name that was reserved for it', () => {
    given(...offered, events.ProfileChanged())
      .when(commands.AcceptTransfer())
      .refused('conflict');
    given(...offered, events.ProfileChanged())
      .when(commands.AcceptTransfer({ name: 'Office' }))
      .then(handedOver, events.ProfileTransferred({ name: 'Office' }));
  });

  it('has the size of its stored state in the event', () => {
    given(...saved, events.ProfileTransferOffered())
      .when(commands.AcceptTransfer())
      .then(handedOver, events.ProfileTransferred({ bytes: savedState(1).bytes }));
  });

  it('is not accepted while a session uses it', () => {
    given(...offered, events.ProfileBound())
      .when(commands.AcceptTransfer())
      .refused('profile-in-use', inUse);
  });

  it('is no longer offered once it was in the trash', () => {
    given(...offered, events.ProfileTrashed(), events.ProfileRestored())
      .when(commands.AcceptTransfer())
      .refused('not-found');
  });

  it('belongs to the other account from then on', () => {
    given(...given_)
      .when(commands.ChangeProfile())
      .then(events.ProfileChanged({ accountId: otherAccount }));
    const owner = accountId;
    for (const command of [
      commands.ChangeProfile({ owner }),
      commands.TrashProfile({ owner }),
      commands.BindProfile({ owner }),
      commands.RecordExport({ owner }),
      commands.OfferTransfer({ owner }),
    ])
      given(...given_)
        .when(command)
        .refused('not-found');
    given(...given_, events.ProfileTrashed({ accountId: otherAccount }))
      .when(commands.PurgeProfile({ owner }))
      .refused('not-found');
  });
});

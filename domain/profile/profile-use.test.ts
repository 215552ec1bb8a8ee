import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { profile } from './profile.ts';
import { isPresent, type Profile } from './state.ts';
import { commands, events, leaseExpiresAt, otherSession, savedState, sessionId } from './testing.ts';

const { given } = deciderSpec(profile);
const created = events.ProfileCreated();
const live = [created, events.ProfileBound()];
const saving = [...live, events.StateSaveStarted()];
const saved = [...saving, events.StateSaved()];
const inUse = { active_session_id: sessionId };
const rebound = events.ProfileBound({ sessionId: otherSession, generation: 1 });

const present = (state: Profile) => {
  if (!isPresent(state)) throw new Error(`It is ${state.status}.`);
  return state;
};

describe('a profile that sessions use', () => {
  it('is bound to one session at a time', () => {
    given(created).when(commands.BindProfile()).then(events.ProfileBound());
    given(...live)
      .when(commands.BindProfile())
      .nothing();
    given(...live)
      .when(commands.BindProfile({ sessionId: otherSession }))
      .refused('profile-in-use', inUse);
    given(...saving)
      .when(commands.BindProfile({ sessionId: otherSession }))
      .refused('profile-in-use', inUse);
  });

  it('remembers which generation a session was launched with, and when', () => {
    given(...saved)
      .when(commands.BindProfile({ sessionId: otherSession }))
      .then(rebound);
    given(created)
      .when(commands.BindProfile())
      .leaves((state) => expect(present(state).lastUsedAt).to.equal(events.ProfileBound().data.at));
  });

  it('counts as updated when it is launched, and not when it is saved', () => {
    const bound = '2026-01-05T12:01:00.000Z';
    const at = '2026-01-05T12:02:00.000Z';
    given(created, events.ProfileBound({ at: bound }), events.StateSaveStarted({ at }))
      .when(commands.SaveState({ at }))
      .leaves((state) => expect(present(state).updatedAt).to.equal(bound));
  });

  it('is released by its own session alone', () => {
    given(...live)
      .when(commands.ReleaseProfile())
      .then(events.ProfileReleased());
    given(...live)
      .when(commands.ReleaseProfile({ sessionId: otherSession }))
      .nothing();
    given(created).when(commands.ReleaseProfile()).nothing();
    given(...saving)
      .when(commands.ReleaseProfile())
      .nothing();
  });

  it('is saved by its own session alone', () => {
    given(...live)
      .when(commands.StartSave())
      .then(events.StateSaveStarted());
    given(...saving)
      .when(commands.StartSave())
      .nothing();
    given(...live)
      .when(commands.StartSave({ sessionId: otherSession }))
      .nothing();
    given(...saving)
      .when(commands.SaveState())
      .then(events.StateSaved());
    given(...saving)
      .when(commands.SaveState({ sessionId: otherSession }))
      .refused('conflict');
    given(...live)
      .when(commands.SaveState())
      .refused('conflict');
  });

  it('has each state saved once, however often it is sent', () => {
    given(...saved)
      .when(commands.SaveState())
      .nothing();
  });

  it('accepts only the state that follows the one it was launched with', () => {
    given(...saving)
      .when(commands.SaveState({ state: savedState(2) }))
      .refused('conflict');
    const again = [...saved, rebound, events.StateSaveStarted({ sessionId: otherSession })];
    given(...again)
      .when(commands.SaveState({ sessionId: otherSession, state: { ...savedState(1), blob: 'other' } }))
      .refused('conflict');
    given(...again)
      .when(commands.SaveState({ sessionId: otherSession, state: savedState(2) }))
      .then(
        events.StateSaved({ sessionId: otherSession, state: savedState(2), replaces: savedState(1).blob }),
      );
  });

  it('keeps the previous state when a save fails, and shows the reason until one succeeds', () => {
    const again = [...saved, rebound, events.StateSaveStarted({ sessionId: otherSession })];
    given(...again)
      .when(commands.FailSave({ sessionId: otherSession }))
      .leaves((state) => {
        const { saveFailure, state: kept, use } = present(state);
        expect([saveFailure?.reason, kept, use.kind]).to.deep.equal(['too_large', savedState(1), 'free']);
      });
    given(...again)
      .when(commands.SaveState({ sessionId: otherSession, state: savedState(2) }))
      .leaves((state) => expect(present(state).saveFailure).to.equal(null));
  });

  it('is free again when the lease of a save is over, and not before', () => {
    const detail = 'The state did not arrive in time.';
    given(...saving)
      .when(commands.ExpireSave())
      .then(events.StateSaveFailed({ reason: 'upload_failed', detail, at: leaseExpiresAt }));
    given(...saving)
      .when(commands.ExpireSave({ at: '2026-01-05T12:04:59.999Z' }))
      .nothing();
    given(...saved)
      .when(commands.ExpireSave())
      .nothing();
  });

  it('accepts no state after the lease of the save', () => {
    const failed = events.StateSaveFailed({ reason: 'upload_failed' });
    given(...saving, failed)
      .when(commands.SaveState())
      .refused('conflict');
    given(...saving, failed)
      .when(commands.FailSave())
      .nothing();
  });

  it('is trimmed from the generation that it has', () => {
    given(...saved)
      .when(commands.TrimProfile())
      .then(
        events.ProfileTrimmed({
          state: savedState(2),
          replaces: savedState(1).blob,
          beforeBytes: savedState(1).bytes,
        }),
      );
    given(...saved)
      .when(commands.TrimProfile({ of: 2 }))
      .refused('conflict');
    given(created).when(commands.TrimProfile()).refused('conflict');
  });

  it('is exported as often as it is requested', () => {
    given(...saved)
      .when(commands.RecordExport())
      .then(events.ProfileExported());
  });
});

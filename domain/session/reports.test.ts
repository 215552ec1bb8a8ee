import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { deciderSpec } from '../testing/index.ts';
import { commands, events, nodeId } from './testing.ts';
import { session } from './session.ts';

const { given } = deciderSpec(session);
const { SessionRequested, SessionReady, OperationClaimed, OperationSettled } = events;
const { SessionErrored, SessionDestroyed } = events;
const { EgressCapabilitiesReported, ChallengeDetected, ProfileSaveFailed } = events;
const { ReportEgress, ReportChallenge, ReportProfileSave, SettleOperation } = commands;

const ready = [SessionRequested(), SessionReady()];
const busy = [...ready, OperationClaimed()];
const destroyed = [...ready, SessionDestroyed()];
const errored = [...busy, SessionErrored()];
const otherNode = toId('node', '0197f1a0-0000-7000-8000-0000000000ff');

describe('egress capability reports', () => {
  it('are each an event, once, without change detection', () => {
    given(...ready)
      .when(ReportEgress())
      .then(EgressCapabilitiesReported());
    given(...ready, EgressCapabilitiesReported())
      .when(ReportEgress())
      .nothing();
    given(...ready, EgressCapabilitiesReported())
      .when(ReportEgress({ reportId: 'next' }))
      .then(EgressCapabilitiesReported({ reportId: 'next' }));
  });
  it('are accepted of non-terminal sessions only, and only from the node of the session', () => {
    given(...destroyed)
      .when(ReportEgress())
      .nothing();
    given(...errored)
      .when(ReportEgress())
      .nothing();
    given().when(ReportEgress()).nothing();
    given(...ready)
      .when(ReportEgress({ nodeId: otherNode }))
      .nothing();
    given(...busy)
      .when(ReportEgress({ nodeId }))
      .then(EgressCapabilitiesReported());
  });
});

describe('reports of a bot check', () => {
  it('are each an event, once', () => {
    given(...ready)
      .when(ReportChallenge())
      .then(ChallengeDetected());
    given(...ready, ChallengeDetected())
      .when(ReportChallenge())
      .nothing();
    given(...ready, ChallengeDetected())
      .when(ReportChallenge({ reportId: 'later', challengeId: 'chl_2' }))
      .then(ChallengeDetected({ reportId: 'later', challengeId: 'chl_2' }));
  });
  it('do not affect the claim of the operation that met it', () => {
    given(...busy, ChallengeDetected())
      .when(SettleOperation())
      .then(OperationSettled());
  });
  it('are accepted of non-terminal sessions only, and only from the node of the session', () => {
    for (const ended of [destroyed, errored, []]) {
      given(...ended)
        .when(ReportChallenge())
        .nothing();
    }
    given(...ready)
      .when(ReportChallenge({ nodeId: otherNode }))
      .nothing();
  });
});

describe('reports of a profile that was not saved', () => {
  it('are each an event, once, whether the session has ended by then or not', () => {
    for (const story of [ready, busy, destroyed, errored]) {
      given(...story)
        .when(ReportProfileSave())
        .then(ProfileSaveFailed());
      given(...story, ProfileSaveFailed())
        .when(ReportProfileSave())
        .nothing();
    }
  });
  it('do not revive a session', () => {
    given(...destroyed)
      .when(ReportProfileSave())
      .leaves((state) => expect(state.status).to.equal('destroyed'));
  });
  it('are not accepted of a session that never existed, nor from another node', () => {
    given().when(ReportProfileSave()).nothing();
    given(...destroyed)
      .when(ReportProfileSave({ nodeId: otherNode }))
      .nothing();
  });
});

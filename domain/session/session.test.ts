import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { deciderSpec } from '../testing/index.ts';
import { at, commands, events } from './testing.ts';
import { session } from './session.ts';

const { given } = deciderSpec(session);
const { SessionRequested, SessionWithdrawn, SessionReady, OperationClaimed, OperationSettled } = events;
const { SessionErrored, SessionDestroyed, DurationCapLifted, EgressCapabilitiesReported } = events;
const {
  RequestSession,
  WithdrawSession,
  CompleteCreation,
  FailCreation,
  ExpireCreationLease,
  ClaimOperation,
} = commands;
const { SettleOperation, FailOperation, DestroySession, EnforceDurationCap, LoseBrowser } = commands;

const creating = [SessionRequested()];
const ready = [...creating, SessionReady()];
const busy = [...ready, OperationClaimed()];
const destroyed = [...ready, SessionDestroyed()];
const errored = [...busy, SessionErrored()];
const otherNode = toId('node', '0197f1a0-0000-7000-8000-0000000000ff');

describe('creating a session', () => {
  it('is a durable reservation first', () => {
    given().when(RequestSession()).then(SessionRequested());
  });
  it('is refused for an id that is taken', () => {
    given(...creating)
      .when(RequestSession())
      .refused('conflict');
  });
  it('is refused once it was withdrawn as overdue, and one that was requested in time is not withdrawn', () => {
    given().when(WithdrawSession()).then(SessionWithdrawn());
    given(SessionWithdrawn()).when(WithdrawSession()).nothing();
    given(SessionWithdrawn()).when(RequestSession()).refused('session-timeout');
    for (const requested of [creating, ready, busy, destroyed, errored]) {
      given(...requested)
        .when(WithdrawSession())
        .nothing();
    }
  });
  it('ends with a ready session', () => {
    given(...creating)
      .when(CompleteCreation())
      .then(SessionReady());
  });
  it('reports the egress capabilities the node found, in the same append', () => {
    const { capabilities } = EgressCapabilitiesReported().data;
    given(...creating)
      .when(CompleteCreation({ egress: capabilities }))
      .then(SessionReady(), EgressCapabilitiesReported({ reportId: 'creation', at: at('12:00:02') }));
  });
  it('ends errored when the browser does not start', () => {
    const failure = { operation: 'unknown', reason: 'creation_failed', durationMs: 2000 } as const;
    given(...creating)
      .when(FailCreation())
      .then(SessionErrored({ ...failure, at: at('12:00:02') }));
  });
  it('ignores the result of a dispatch that is not its own', () => {
    given(...creating)
      .when(CompleteCreation({ dispatchId: 'other' }))
      .nothing();
    given(...creating)
      .when(FailCreation({ dispatchId: 'other' }))
      .nothing();
  });
  it('can be destroyed, which the creation cannot undo', () => {
    const end = SessionDestroyed({ durationMs: 1000, at: at('12:00:01') });
    given(...creating)
      .when(DestroySession({ at: at('12:00:01') }))
      .then(end);
    given(...creating, end)
      .when(CompleteCreation())
      .nothing();
    given(...creating, end)
      .when(FailCreation())
      .nothing();
  });
  it('errors when its lease ends, not earlier, and never once it is settled', () => {
    given(...creating)
      .when(ExpireCreationLease({ at: at('12:01:29') }))
      .nothing();
    given(...creating)
      .when(ExpireCreationLease())
      .then(
        SessionErrored({
          operation: 'unknown',
          reason: 'lease_expired',
          errorName: 'SessionTimeoutError',
          durationMs: 90_000,
          at: at('12:01:30'),
        }),
      );
    given(...ready)
      .when(ExpireCreationLease())
      .nothing();
    given(...destroyed)
      .when(ExpireCreationLease())
      .nothing();
  });
});

describe('operating a session', () => {
  it('claims a ready session', () => {
    given(...ready)
      .when(ClaimOperation())
      .then(OperationClaimed());
  });
  it('raises the epoch with every claim', () => {
    given(...busy, OperationSettled())
      .when(ClaimOperation({ dispatchId: 'second' }))
      .then(OperationClaimed({ dispatchId: 'second', epoch: 2 }));
  });
  it('is a conflict while the session is creating or busy', () => {
    given(...creating)
      .when(ClaimOperation())
      .refused('conflict');
    given(...busy)
      .when(ClaimOperation({ operation: 'capture', dispatchId: 'another' }))
      .refused('conflict');
  });
  it('is granted again to the dispatch that claimed it, however often that claims', () => {
    given(...busy)
      .when(ClaimOperation())
      .then();
  });
  it('is refused as session-destroyed after the end', () => {
    given(...destroyed)
      .when(ClaimOperation())
      .refused('session-destroyed');
    given(...errored)
      .when(ClaimOperation())
      .refused('session-destroyed');
  });
  it('is not found on a session that never existed', () => {
    given().when(ClaimOperation()).refused('not-found');
  });
  it('settles back to ready', () => {
    given(...busy)
      .when(SettleOperation())
      .then(OperationSettled());
    given(...busy)
      .when(SettleOperation())
      .leaves((state) => expect(state.status).to.equal('ready'));
  });
  it('settles a page-level failure back to ready', () => {
    given(...busy)
      .when(SettleOperation({ failure: 'element_not_found' }))
      .then(OperationSettled({ outcome: 'failed', failureCategory: 'element_not_found' }));
  });
  it('errors the session on a driver-level failure', () => {
    given(...busy)
      .when(FailOperation())
      .then(SessionErrored());
  });
  it('errors the session with a timeout when the browser is silent', () => {
    given(...busy)
      .when(FailOperation({ reason: 'driver_silent' }))
      .then(SessionErrored({ reason: 'driver_silent', errorName: 'SessionTimeoutError' }));
  });
  it('settles only with the dispatch and the epoch of the claim', () => {
    given(...busy)
      .when(SettleOperation({ dispatchId: 'other' }))
      .refused('conflict');
    given(...busy)
      .when(SettleOperation({ epoch: 2 }))
      .refused('conflict');
    given(...busy)
      .when(FailOperation({ epoch: 2 }))
      .refused('conflict');
    given(...busy, OperationSettled())
      .when(SettleOperation())
      .refused('conflict');
  });
  it('loses the race to a destroy with session-destroyed', () => {
    given(...busy, SessionDestroyed())
      .when(SettleOperation())
      .refused('session-destroyed');
    given(...busy, SessionDestroyed())
      .when(FailOperation())
      .refused('session-destroyed');
  });
});

describe('ending a session', () => {
  it('is destroyed from ready and from busy', () => {
    given(...ready)
      .when(DestroySession())
      .then(SessionDestroyed());
    given(...busy)
      .when(DestroySession())
      .then(SessionDestroyed());
  });
  it('is idempotent', () => {
    given(...destroyed)
      .when(DestroySession())
      .nothing();
    given(...errored)
      .when(DestroySession())
      .nothing();
    given().when(DestroySession()).refused('not-found');
  });
  it('names what ended it as the cause, if that was not the customer', () => {
    for (const cause of ['suspension', 'idle', 'agent_session'] as const)
      given(...ready)
        .when(DestroySession({ cause }))
        .then(SessionDestroyed({ cause }));
  });
  it('comes automatically at the duration cap, counted from the request, never early', () => {
    const capped = [SessionRequested({ expiresAt: at('12:20:00') }), SessionReady()];
    const end = SessionDestroyed({ cause: 'duration_cap', durationMs: 1_200_000, at: at('12:20:00') });
    given(...capped)
      .when(EnforceDurationCap({ at: at('12:19:59') }))
      .nothing();
    given(...capped)
      .when(EnforceDurationCap())
      .then(end);
    given(...capped, OperationClaimed())
      .when(EnforceDurationCap())
      .then(end);
    given(...capped, end)
      .when(EnforceDurationCap())
      .nothing();
  });
  it('does not come at the cap if the account pays by then, whatever it runs; nor later', () => {
    const capped = [SessionRequested({ expiresAt: at('12:20:00') }), SessionReady()];
    const lifted = DurationCapLifted({ at: at('12:20:00') });
    for (const history of [capped, [...capped, OperationClaimed()]])
      given(...history)
        .when(EnforceDurationCap({ tier: 'personal' }))
        .then(lifted);
    given(...capped)
      .when(EnforceDurationCap({ tier: 'personal', at: at('12:19:59') }))
      .nothing();
    given(...capped, lifted)
      .when(EnforceDurationCap({ at: at('12:40:00') }))
      .nothing();
  });
  it('never comes automatically on tiers without a cap', () => {
    given(...ready)
      .when(EnforceDurationCap())
      .nothing();
  });
  it('errors the sessions of a lost node, naming the running operation', () => {
    const lost = { reason: 'node_lost', errorName: 'DriverNotIntegratedError' } as const;
    given(...busy)
      .when(LoseBrowser())
      .then(SessionErrored(lost));
    given(...ready)
      .when(LoseBrowser())
      .then(SessionErrored({ ...lost, operation: 'unknown' }));
    given(...destroyed)
      .when(LoseBrowser())
      .nothing();
    given(...ready)
      .when(LoseBrowser({ nodeId: otherNode }))
      .nothing();
  });
  it('errors a session whose browser died', () => {
    given(...busy)
      .when(LoseBrowser({ reason: 'driver_failure' }))
      .then(SessionErrored());
  });
  it('counts no time when the clock went back', () => {
    given(...ready)
      .when(DestroySession({ at: at('11:00:00') }))
      .then(SessionDestroyed({ durationMs: 0, at: at('11:00:00') }));
  });
});

import { deciderSpec } from '../testing/index.ts';
import { timersOf } from '../kit/timer.ts';
import { reactionSpec } from '../testing/index.ts';
import { at, commands, events, sessionId } from './testing.ts';
import { session } from './session.ts';

const { given } = deciderSpec(session);
const { SessionRequested, SessionReady, OperationClaimed, OperationSettled, IdleTimeoutExtended } = events;
const { EnforceIdleTimeout } = commands;

const idle = { timeoutMs: 600_000, dueAt: at('12:10:00') };
const creating = [SessionRequested({ idle })];
const ready = [...creating, SessionReady()];
const busy = [...ready, OperationClaimed()];
const used = [...busy, OperationSettled()];
const ended = (time: string, durationMs: number) =>
  events.SessionDestroyed({ cause: 'idle', durationMs, at: at(time) });

describe('the idle timeout of a session', () => {
  it('is due its duration after the latest operation', () => {
    given(...ready)
      .when(EnforceIdleTimeout({ at: at('12:10:02') }))
      .then(ended('12:10:02', 602_000));
    given(...used)
      .when(EnforceIdleTimeout())
      .then(IdleTimeoutExtended());
    given(...used, IdleTimeoutExtended())
      .when(EnforceIdleTimeout({ at: at('12:11:01') }))
      .then(ended('12:11:01', 661_000));
  });
  it('is not enforced early, nor extended by the second of two processes', () => {
    given(...ready)
      .when(EnforceIdleTimeout({ at: at('12:09:59') }))
      .nothing();
    given(...used, IdleTimeoutExtended())
      .when(EnforceIdleTimeout({ lastUseAt: at('12:10:00') }))
      .nothing();
  });
  it('counts from the latest use by others, if that is later', () => {
    given(...used)
      .when(EnforceIdleTimeout({ lastUseAt: at('12:09:00') }))
      .then(IdleTimeoutExtended({ usedAt: at('12:09:00'), dueAt: at('12:19:00') }));
    given(...used)
      .when(EnforceIdleTimeout({ lastUseAt: at('12:00:30') }))
      .then(IdleTimeoutExtended());
  });
  it('never ends during an operation or while the browser is starting', () => {
    const now = { usedAt: at('12:10:00'), dueAt: at('12:20:00') };
    given(...creating)
      .when(EnforceIdleTimeout())
      .then(IdleTimeoutExtended(now));
    given(...ready, OperationClaimed({ at: at('12:09:00') }))
      .when(EnforceIdleTimeout())
      .then(IdleTimeoutExtended(now));
  });
  it('ends a session whose operation will never be settled', () => {
    given(...busy)
      .when(EnforceIdleTimeout({ at: at('12:11:00') }))
      .then(ended('12:11:00', 660_000));
  });
  it('does not interrupt a busy session', () => {
    const settle = commands.SettleOperation({ at: at('12:10:02') });
    given(...busy, IdleTimeoutExtended())
      .when(settle)
      .then(OperationSettled({ durationMs: 542_000, at: at('12:10:02') }));
  });
  it('exists only if it was requested, and ends with the session', () => {
    given(SessionRequested(), SessionReady()).when(EnforceIdleTimeout()).nothing();
    given().when(EnforceIdleTimeout()).nothing();
    given(...ready, events.SessionDestroyed())
      .when(EnforceIdleTimeout())
      .nothing();
  });
});

describe('the due times of a session with an idle timeout', () => {
  const { when } = reactionSpec(timersOf);
  const id = `session_idle-${sessionId}`;

  it('are set by its request and by extensions, and by no operation', () => {
    const lease = { id: `creation_lease-${sessionId}`, dueAt: at('12:01:30') };
    when(SessionRequested({ idle })).then(lease, { id, dueAt: at('12:10:00') });
    when(IdleTimeoutExtended()).then({ id, dueAt: at('12:11:01') });
    when(SessionReady(), OperationClaimed(), OperationSettled()).nothing();
  });
});

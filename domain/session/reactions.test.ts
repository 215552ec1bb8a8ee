import { reactionSpec } from '../testing/index.ts';
import { accountId, at, events, sessionId } from './testing.ts';
import { timersOf } from '../kit/timer.ts';
import { reactToSession } from './reactions.ts';

describe('the reactions to a session’s events', () => {
  const { when } = reactionSpec(reactToSession);

  it('clean up once it has ended, in either way', () => {
    const cleanUp = { type: 'CleanUpSession', sessionId } as const;
    when(events.SessionErrored()).then(cleanUp);
    when(events.SessionDestroyed()).then(cleanUp);
  });
  it('end it if it was requested while its account was being suspended', () => {
    when(events.SessionRequested()).then({ type: 'EndIfSuspended', sessionId, accountId });
  });
  it('are no others', () => {
    when(
      events.SessionReady(),
      events.OperationClaimed(),
      events.OperationSettled(),
      events.EgressCapabilitiesReported(),
    ).nothing();
  });
});

describe('the due times a session sets', () => {
  const { when } = reactionSpec(timersOf);
  const lease = { id: `creation_lease-${sessionId}`, dueAt: at('12:01:30') };

  it('are its creation lease, and its duration cap where its tier has one', () => {
    when(events.SessionRequested()).then(lease);
    when(events.SessionRequested({ expiresAt: at('12:20:00') })).then(lease, {
      id: `duration_cap-${sessionId}`,
      dueAt: at('12:20:00'),
    });
    when(events.SessionReady()).nothing();
  });
});

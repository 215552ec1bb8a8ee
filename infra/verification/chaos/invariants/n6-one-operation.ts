import { byStream, field, grouped } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';
import { lifeOf } from './session-life.ts';

export const oneOperation: Invariant = {
  id: 'N6',
  holds:
    'A session has at most one operation in flight, and nothing reaches a browser that was not claimed, or twice.',
  judged:
    'the driver’s log against the claims in the log of events; each session’s events against the table of states',
  violations: ({ log, driver }) => {
    const granted = log.filter(({ type }) => type === 'OperationClaimed' || type === 'SessionRequested');
    const grants = new Map(granted.map((event) => [field(event, 'dispatchId'), field(event, 'sessionId')]));
    // Live operations run beside the claimed one.
    const dispatched = driver.filter(
      ({ action, dispatch_id }) => dispatch_id !== undefined && action !== 'live',
    );
    const lines = grouped(dispatched, ({ dispatch_id }) => dispatch_id ?? '');
    return [
      ...[...byStream(log, 'session')].flatMap(([stream, events]) => {
        const { status, misplaced } = lifeOf(events);
        return misplaced === undefined
          ? []
          : [{ what: `${misplaced.type} came while it was ${status}`, stream }];
      }),
      ...[...lines].flatMap(([id, same]) =>
        same.length === 1 ? [] : [{ what: `dispatch ${id} reached the driver ${same.length} times` }],
      ),
      ...dispatched
        .filter(({ dispatch_id, session_id }) => grants.get(dispatch_id ?? '') !== session_id)
        .map(({ action, dispatch_id }) => ({
          what: `${action} ${dispatch_id} reached the driver without a claim`,
        })),
    ];
  },
};

import { byStream, field, type LogEvent } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';
import { isLive, lifeOf } from './session-life.ts';

/** Both times were stamped by the clock that made the decision. */
const early = (event: LogEvent, due: string): boolean => Date.parse(field(event, 'at')) < Date.parse(due);

export const timersFire: Invariant = {
  id: 'N5',
  holds: 'Every due timer took effect or was cancelled by an event, and none fired early.',
  judged:
    'due times in the log against the events that ended what they watch; rows of due times that are left',
  violations: ({ log, tables }) => [
    ...[...byStream(log, 'session')].flatMap(([stream, events]) => sessionTimers(stream, events)),
    ...tables.timers
      .filter((row) => row.overdue === true)
      .map((row) => ({ what: `the timer ${String(row.id)} is overdue and did not fire` })),
  ],
};

function sessionTimers(stream: string, events: readonly LogEvent[]): Violation[] {
  const requested = events.find(({ type }) => type === 'SessionRequested');
  if (requested === undefined) return [];
  const [cap, lease] = [field(requested, 'expiresAt'), field(requested, 'leaseExpiresAt')];
  const capped = events.find((event) => field(event, 'cause') === 'duration_cap');
  const expired = events.find((event) => field(event, 'reason') === 'lease_expired');
  const isLifted = events.some(({ type }) => type === 'DurationCapLifted');
  const left = lifeOf(events).status;
  return [
    ...(capped && early(capped, cap) ? [{ what: `its duration cap of ${cap} fired early`, stream }] : []),
    ...(expired && early(expired, lease)
      ? [{ what: `its creation lease of ${lease} fired early`, stream }]
      : []),
    ...(cap !== '' && !isLifted && isLive(left)
      ? [{ what: `it is ${left}, past its duration cap of ${cap}`, stream }]
      : []),
    ...(left === 'creating' ? [{ what: `it is creating, past its lease of ${lease}`, stream }] : []),
  ];
}

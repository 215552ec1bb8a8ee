import type { Evidence } from '../evidence/index.ts';
import type { Visit } from '../world/live.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Name prefix of the programs whose agent sessions people watch and drive. */
export const peopleInRooms = 'people in rooms';

export const peopleGetIn: Invariant = {
  id: 'N31',
  holds:
    'People who watch get in and see pictures, people who drive get in and touch; who is refused is told why, in the words of the contract.',
  judged:
    'the joins and pictures of each run in which they take part for a minute, and the touches and takeovers of several drivers',
  violations: (evidence) => [...misrefused(evidence), ...(isLong(evidence) ? kept(evidence) : [])],
};

/** Statuses of refused joins in `docs/live-view.md`, those of a browser that does not start included. */
const statuses: readonly (number | undefined)[] = [401, 403, 404, 409, 410, 429, 502, 503, 504];

function misrefused({ live: { visits }, log, clockJumps }: Evidence): Violation[] {
  const refused = visits.filter(({ outcome }) => outcome === 'refused');
  const closed = new Set(log.filter(({ type }) => type === 'AgentSessionClosed').map(({ stream }) => stream));
  const isWrong = ({ room, status, isByLink, askedAt }: Visit) =>
    !statuses.includes(status) ||
    // A browser that ends while it starts is replaced, unless the agent session was closed.
    (status === 410 && !closed.has(`agent_session-${room.slice('agt_'.length)}`)) ||
    // Tokens are valid for a day, but links end.
    (status === 401 && !isByLink && !clockJumps.some(({ at, ms }) => ms > 0 && at < askedAt));
  return refused.filter(isWrong).map(({ status, why, room }) => ({
    what: `a join of ${room} was refused with ${status}: ${why}`,
  }));
}

const ENOUGH_MS = 60_000;

function isLong({ history }: Evidence): boolean {
  const own = history.filter(({ actor }) => actor.startsWith(peopleInRooms));
  return (own.at(-1)?.sentAt ?? 0) - (own[0]?.sentAt ?? 0) >= ENOUGH_MS;
}

/** Not every driver asks for the controls. */
const ENOUGH_DRIVERS = 5;

function kept({ live: { visits, touches, takeovers } }: Evidence): Violation[] {
  const joined = visits.filter(({ outcome }) => outcome === 'joined');
  const watchers = joined.filter(({ as }) => as === 'watcher');
  const drivers = joined.filter(({ as }) => as === 'driver');
  const counts = {
    'watcher got in': watchers.length,
    'watcher saw a picture': watchers.filter(({ pictures }) => pictures > 0).length,
    'driver got in': drivers.length,
    ...(drivers.length >= ENOUGH_DRIVERS && {
      'touch arrived': touches.filter(({ answer }) => answer === 'ok').length,
      'takeover was acknowledged': takeovers.filter(({ answer }) => answer === 'ok').length,
    }),
  };
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [] : [{ what: `no ${what}` }]));
}

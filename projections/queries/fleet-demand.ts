import type pg from 'pg';
import type { AccountSlotsEvent } from '../../contracts/events/account-slots.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import type { SessionId } from '../../contracts/ids.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import type { Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Arrival, Window } from '../../infra/fleet/what-if.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import { replay, type ReplayOptions } from '../engine/replay.ts';

/** The demand on a fleet. */
export interface Demand {
  readonly arrivals: readonly Arrival[];
  /** Of these, creates refused for lack of capacity. The lengths of their sessions are unknown. */
  readonly refused: number;
  /** The length assumed for them in milliseconds: the median of ended sessions, or the rest of the window if none ended. */
  readonly assumedMs: number | null;
}

interface Session {
  /** Unix milliseconds. */
  readonly at: number;
  until?: number;
  isRefused?: true;
}

type Sessions = Map<SessionId, Session>;

/** Event types that are read. Most events of a session are of its operations, and not needed. */
const types = ['SessionRequested', 'SessionErrored', 'SessionDestroyed', 'SlotReleased'] as const;
type ReadEvent = Extract<SessionEvent | AccountSlotsEvent, { type: (typeof types)[number] }>;

/** Maximum difference between clocks of processes and the event store, in milliseconds. */
const clocksApartMs = 60_000;

/**
 * The sessions of all accounts that were live in a window, and the creates refused for lack of capacity. Reads the log from the
 * window's start on, and sessions live at its start from the read model.
 */
export async function demandBetween(pool: pg.Pool, window: Window, options: ReplayOptions): Promise<Demand> {
  const head = await options.store.head();
  const after = await positionAt(pool, committedBy, window.from - clocksApartMs);
  const upTo = (await positionAt(pool, committedAfter, window.to + clocksApartMs)) ?? head;
  const sessions = await liveAt(pool, window.from);
  if (upTo !== undefined)
    await replay({ name: 'sessions', types }, { after: after ?? origin, upTo }, options, async (events) =>
      events.forEach((event) => apply(sessions, event)),
    );
  return demandOf([...sessions.values()], window);
}

const minutes = 'select commit_position, prepare_position from read_model.committed_minutes';
const committedBy = `${minutes} where minute <= $1 order by minute desc limit 1`;
const committedAfter = `${minutes} where minute > $1 order by minute limit 1`;

async function positionAt(pool: pg.Pool, statement: string, at: number): Promise<Position | undefined> {
  const { rows } = await pool.query<PositionColumns>(statement, [new Date(at)]);
  return rows[0] && fromColumns(rows[0]);
}

async function liveAt(pool: pg.Pool, at: number): Promise<Sessions> {
  const { rows } = await pool.query<{ id: SessionId; created_at: Date; destroyed_at: Date | null }>(
    `select id, created_at, destroyed_at from read_model.sessions
     where created_at < $1 and (destroyed_at is null or destroyed_at > $1) order by created_at, id`,
    [new Date(at)],
  );
  return new Map(
    rows.map(({ id, created_at, destroyed_at }) => [
      id,
      { at: created_at.getTime(), ...(destroyed_at && { until: destroyed_at.getTime() }) },
    ]),
  );
}

function apply(sessions: Sessions, event: RecordedEvent): void {
  const { type, data } = event as { readonly type: string } as ReadEvent;
  const at = Date.parse(data.at);
  const session = sessions.get(data.sessionId);
  switch (type) {
    case 'SessionRequested':
      if (session === undefined) sessions.set(data.sessionId, { at });
      return;
    case 'SessionDestroyed':
      if (session) session.until = at;
      return;
    case 'SessionErrored':
      if (session) session.until = at;
      // The chosen node turned out to be full.
      if (session && data.reason === 'creation_failed' && data.errorName === noRoom.errorName)
        session.isRefused = true;
      return;
    case 'SlotReleased':
      if (data.refusal === noRoom.refusal) sessions.set(data.sessionId, { at, isRefused: true });
  }
}

/** Events of creates without capacity: refused before the session was requested, or failed after. */
const noRoom = { refusal: 'driver-not-integrated', errorName: 'DriverNotIntegratedError' } as const;

function demandOf(sessions: readonly Session[], { from, to }: Window): Demand {
  const there = sessions.filter(({ at, until = to, isRefused }) => at < to && (until > from || isRefused));
  const lengths = there.flatMap(({ at, until, isRefused }) =>
    until === undefined || isRefused ? [] : [until - at],
  );
  const assumedMs = median(lengths);
  const arrivals = there.map(({ at, until = to, isRefused }) => ({
    at,
    until: isRefused ? (assumedMs === null ? to : at + assumedMs) : until,
  }));
  return { arrivals, refused: there.filter(({ isRefused }) => isRefused).length, assumedMs };
}

const median = (lengths: readonly number[]): number | null =>
  [...lengths].sort((one, other) => one - other)[Math.floor(lengths.length / 2)] ?? null;

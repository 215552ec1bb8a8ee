import { fullFormats } from 'ajv-formats/dist/formats.js';
import { invalid } from '../../contracts/field-errors.ts';
import { isAfter, origin, parsePosition } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { timeOf } from '../../infra/http/time.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { fromColumns } from '../../infra/postgres/position-columns.ts';
import { committedBy, supersededBy } from '../../projections/queries/committed-minute.ts';
import { behind, type FreshReads } from './fresh-reads.ts';
import { duringOutage } from './log-outage.ts';

/** A moment in the past. */
export interface Moment {
  /** The last position committed by then. */
  readonly position: Position;
  /** The time used as now in time-dependent fields. */
  readonly at: Date;
}

interface Ports {
  readonly reads: FreshReads;
  readonly store: Pick<EventStore, 'head'>;
  readonly clock: Clock;
}

/** Parses a moment in a query parameter. `seen`: a position in the log, or reached by the read models. */
export type MomentIn = (parameter: string, text: string, seen: Position) => Promise<Moment>;

/**
 * Parses moments: times, and positions as in `X-Service-Position`. Refuses other texts, and moments in the future.
 *
 * - A time includes everything committed by its full minute.
 * - A position gets the time of the first full minute by which a later event was committed; the last position, the
 *   present time.
 */
export const createMoments =
  ({ reads, store, clock }: Ports): MomentIn =>
  async (parameter, text, seen) => {
    const path = `/query/${parameter}`;
    const now = clock.now();
    const position = parsePosition(text);
    if (position === undefined) {
      const at = strictTimeOf(path, text);
      if (at > now) throw ahead(path);
      return { position: await positionAt(reads, at, seen), at };
    }
    if (isAfter(position, seen)) {
      const head = await duringOutage('The past', () => store.head());
      if (head === undefined || isAfter(position, head)) throw ahead(path);
    }
    return { position, at: await lastTimeOf(reads, position, now) };
  };

const ahead = (path: string) => invalid({ path, code: 'future', message: 'must not be in the future' });

/** Refuses days beyond a month's end, which `Date` accepts. */
function strictTimeOf(path: string, text: string): Date {
  const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean };
  return timeOf(path, validate(text) ? text : '');
}

async function positionAt(reads: FreshReads, at: Date, atLeast: Position): Promise<Position> {
  const { rows, stale } = await reads.read(committedBy, { time: at.toISOString() }, { atLeast });
  if (stale) throw behind();
  return rows[0] === undefined ? origin : fromColumns(rows[0]);
}

async function lastTimeOf(reads: FreshReads, { commit, prepare }: Position, now: Date): Promise<Date> {
  const { rows } = await reads.read(supersededBy, { commit: String(commit), prepare: String(prepare) });
  const superseded = rows[0] === undefined ? now : new Date(rows[0].id);
  return superseded < now ? superseded : now;
}

import type pg from 'pg';
import type { OperatorReaction, RetriedReactions } from '../../../contracts/operator.ts';
import { systemPause, type Pause } from '../../../infra/platform/clock.ts';
import type { Parked } from '../../../infra/log-follower/parking.ts';
import { reactionParkingIn } from './tables.ts';
import { firstSignal } from '../../../infra/platform/first-signal.ts';

/** Channel notified to request a retry of parked reactions. */
const channel = 'retry_parked_reactions';

/**
 * A pause that ends early on a request for a retry, including one since the last pause. The client listens until it is closed.
 * A request while no host listened is lost, which is harmless: a host begins with a retry.
 */
export async function pauseUntilAsked(client: pg.ClientBase, pause: Pause): Promise<Pause> {
  let asked = new AbortController();
  client.on('notification', () => asked.abort());
  await client.query(`listen ${channel}`);
  return async (ms, signal) => {
    try {
      await pause(ms, firstSignal(signal, asked.signal));
    } finally {
      if (asked.signal.aborted) asked = new AbortController();
    }
  };
}

/** The parked reactions of all process managers, oldest first. */
export async function listParkedReactions(pool: pg.Pool): Promise<OperatorReaction[]> {
  const parked = await reactionParkingIn(pool).list();
  return parked.map(({ place, id, type, stream, reason, attempts, parkedAt }) => ({
    ...{ process: place.process, event_id: id, event_type: type, stream, attempts, reason },
    parked_at: parkedAt.toISOString(),
  }));
}

const LOOK_MS = 100;

/**
 * Makes the hosts of process managers retry every parked reaction once, and waits for that at most `waitMs` milliseconds. Only
 * a host can: a reaction is ordered within its partition. Concurrent requests change nothing twice, since each command is
 * decided on the stream that it changes.
 */
export async function retryParkedReactions(pool: pg.Pool, waitMs = 10_000): Promise<RetriedReactions> {
  const parking = reactionParkingIn(pool);
  const before = await parking.list();
  await pool.query(`notify ${channel}`);
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const attempts = new Map((await parking.list()).map((each) => [keyOf(each), each.attempts]));
    const left = before.filter((each) => attempts.has(keyOf(each)));
    const untried = left.filter((each) => attempts.get(keyOf(each)) === each.attempts);
    if (untried.length === 0 || waitedMs >= waitMs) {
      return {
        took_effect: before.length - left.length,
        still_parked: left.length - untried.length,
        not_tried: untried.length,
      };
    }
    await systemPause(LOOK_MS, new AbortController().signal);
  }
}

const keyOf = ({ place, id }: Parked<{ readonly process: string }>): string => `${place.process} ${id}`;

import { ServiceError, events } from '../../../contracts/client/index.ts';
import { connection } from '../service.ts';
import { tell } from './live.ts';

const EVERY_MS = 5_000;
/** Maximal age of a stored cursor in milliseconds; after a longer absence lists are reloaded instead. */
const KEPT_MS = 10 * 60_000;

interface Place {
  readonly cursor: string;
  /** Time of the last read with this cursor, in milliseconds since the epoch. */
  readonly at: number;
}

const keyOf = (account: string) => `console.feed ${account}`;

function placeIn(account: string): Place | undefined {
  const place = JSON.parse(localStorage.getItem(keyOf(account)) ?? 'null') as Place | null;
  return place !== null && Math.abs(Date.now() - place.at) < KEPT_MS ? place : undefined;
}

const keep = (account: string, cursor: string): void =>
  localStorage.setItem(keyOf(account), JSON.stringify({ cursor, at: Date.now() } satisfies Place));

/** Reads new events of the account, and broadcasts them to all tabs. */
async function look(account: string): Promise<void> {
  const place = placeIn(account);
  const after = place?.cursor ?? connection.position;
  if (after === undefined || Math.abs(Date.now() - (place?.at ?? 0)) < EVERY_MS / 2) return;
  for await (const { data, nextCursor } of events(connection).list({ after, limit: 100 }).byPage()) {
    keep(account, nextCursor ?? after);
    for (const event of data) tell({ kind: 'event', account, event });
  }
}

/**
 * Polls the account's events. Any visible tab polls for all tabs of the browser, one request at a time. The feed is the
 * signed-in user's own, also while they act for an owner. Returns a function that stops it.
 */
export function followFeed(account: string): () => void {
  const ask = () => {
    if (document.hidden) return;
    navigator.locks
      .request('console.feed', { ifAvailable: true }, (lock) => (lock === null ? undefined : look(account)))
      .catch((error: unknown) => {
        // A key without the scope gets no events; other failures are retried.
        if (error instanceof ServiceError && error.status === 403) clearInterval(timer);
      });
  };
  const timer = setInterval(ask, EVERY_MS);
  return () => clearInterval(timer);
}

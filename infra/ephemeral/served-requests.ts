import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { addDay, dayOf, missingDayIn } from '../postgres/index.ts';
import type { RecorderPorts } from './recorder.ts';

/** The answer to a request. */
export interface AnswerRecord {
  readonly requestId: string;
  /** Null if unknown. */
  readonly accountId: AccountId | null;
  /** The route's id. */
  readonly routeId: string | null;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface ServedRequests {
  /** Runs in the background and never fails the request: only the record of its answer can be lost. */
  record(served: AnswerRecord): void;
  /** Writes pending records. */
  close(): Promise<void>;
}

/** Records within this time share one statement, in ms. */
const gatherMs = 50;
/** Maximum pending records while Postgres is unavailable; more are dropped. */
const mostWaiting = 10_000;
/** Maximum recorded reads per account, day and process. Writes have no such limit. */
const mostReadsADay = 10_000;

const insert = `
  insert into ephemeral.requests (day, id, account_id, operation, status, at, duration_ms)
  select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::timestamptz[], $7::integer[])`;

interface Row extends AnswerRecord {
  readonly routeId: string;
  readonly at: Date;
}

/** Answers of the last days, by whole days, without paths, queries, addresses or bodies. */
export function createServedRequests({ pool, clock, logger }: RecorderPorts): ServedRequests {
  const mayRead = dailyReads();
  let waiting: Row[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  const writeWaiting = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    await write(pool, rows).catch((error: unknown) => {
      logger.debug(
        { err: error, requests: rows.length },
        'Answers to requests could not be recorded; retrying.',
      );
      waiting = [...rows, ...waiting].slice(-mostWaiting);
    });
    writing = undefined;
    if (waiting.length > 0 && !pool.ended) later();
  };
  /** One statement at a time: while one hangs, the records behind it wait, and are limited. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return (writing ??= writeWaiting());
  };
  const later = () => (timer ??= setTimeout(() => void flush(), gatherMs).unref());
  return {
    record(served) {
      const { accountId, routeId, method, status, milliseconds } = served;
      if (routeId === null || waiting.length >= mostWaiting) return;
      const isRead = method === 'GET' || method === 'HEAD';
      const now = clock.now();
      // Without an account only successful requests are recorded: guessed credentials would fill the table.
      if (accountId === null ? isRead || status >= 400 : isRead && !mayRead(accountId, dayOf(now))) return;
      waiting.push({ ...served, routeId, at: new Date(now.getTime() - milliseconds) });
      later();
    },
    close: async () => {
      await writing;
      await flush();
    },
  };
}

function dailyReads(): (accountId: AccountId, day: number) => boolean {
  let today: number | undefined;
  const reads = new Map<AccountId, number>();
  return (accountId, day) => {
    if (day !== today) reads.clear();
    today = day;
    const count = reads.get(accountId) ?? 0;
    reads.set(accountId, count + 1);
    return count < mostReadsADay;
  };
}

async function write(pool: pg.Pool, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [
    rows.map(({ at }) => dayOf(at)),
    rows.map(({ requestId }) => requestId),
    rows.map(({ accountId }) => accountId),
    rows.map(({ routeId }) => routeId),
    rows.map(({ status }) => status),
    rows.map(({ at }) => at.toISOString()),
    rows.map(({ milliseconds }) => Math.round(milliseconds)),
  ];
  for (;;) {
    try {
      await pool.query({ name: 'record-requests', text: insert, values: columns });
      return;
    } catch (error) {
      const missing = missingDayIn(error);
      if (missing === undefined) throw error;
      await addDay(pool, missing);
    }
  }
}

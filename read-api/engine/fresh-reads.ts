import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { isAfter, origin } from '../../infra/event-store/client/position.ts';
import { isPlanOutdated, isoTimes } from '../../infra/postgres/index.ts';
import type { PastSchema } from '../../projections/engine/table.ts';
import {
  actorIn,
  lastWriteIn,
  reachedIn,
  type ActorFacts,
  type FactsOfRow,
  type Statement,
} from '../../projections/queries/fresh-statement.ts';

export interface FreshRead<Row> {
  readonly rows: readonly Row[];
  /** The checkpoint when the rows were read. */
  readonly reached: Position;
  /** The account's last acknowledged write. */
  readonly lastWrite: Position;
  /** True if the account was suspended in that snapshot. */
  readonly suspended: boolean;
  /** The acting account, if it is another one. */
  readonly actor: ActorFacts | undefined;
  /** True if the wait timed out: the rows may be stale. */
  readonly stale: boolean;
}

/** `Retry-After` in seconds for reads ahead of the read models. */
const retryAfterSeconds = 1;

/** Refuses a stale read where only a fresh one may answer. */
export const behind = (): Refusal =>
  refuse('feature-unavailable', 'The read models are behind recent writes. Send the request again.', {
    retry_after_seconds: retryAfterSeconds,
  });

interface ReadOptions {
  readonly atLeast?: Position;
  /** Id of another account acting on this one. */
  readonly actorId?: AccountId | undefined;
}

export interface FreshReads {
  /**
   * Runs the statement, with times as ISO 8601 strings, repeatedly while the read model is behind the account's own writes, the
   * acting account's writes, or `atLeast`.
   */
  read<P, Row extends { readonly id: string }>(
    statement: Statement<P, Row>,
    parameters: P,
    options?: ReadOptions,
  ): Promise<FreshRead<Row>>;
}

interface Options {
  readonly pool: pg.Pool;
  /** Maximum wait for fresh rows in milliseconds; after it the read is served as stale. */
  readonly maxWaitMs?: number;
  /** A position that every read has to reach, beside the account's own writes. Default: none. */
  readonly least?: (() => Position) | undefined;
  /** Reads rows of a past; the other facts are current. */
  readonly past?: PastSchema | undefined;
}

/** Shortest pause between two attempts, in milliseconds. */
const pollMs = 8;

type Page<Row> = FactsOfRow & (Row | Record<keyof Row, null>);

export function createFreshReads({
  pool,
  maxWaitMs = 1000,
  least = () => origin,
  past,
}: Options): FreshReads {
  return {
    async read<P, Row extends { readonly id: string }>(
      statement: Statement<P, Row>,
      parameters: P,
      { atLeast = origin, actorId }: ReadOptions = {},
    ): Promise<FreshRead<Row>> {
      const asked = actorId === undefined ? statement.own : statement.acting;
      const { name, text, tables } = past === undefined ? asked : asked.ofPast(past);
      const query = { name, text, values: statement.values(parameters, actorId), types: isoTimes };
      const startedAt = performance.now();
      let wanted: Position | undefined;
      for (;;) {
        const { rows: page } = await replanned(() => pool.query<Page<Row>>(query));
        const facts = factsIn(page[0], tables, actorId !== undefined);
        // Writes during the wait do not prolong it.
        wanted ??= latest(atLeast, least(), facts.lastWrite, facts.actor?.lastWrite ?? origin);
        const stale = isAfter(wanted, facts.reached);
        const waited = performance.now() - startedAt;
        if (!stale || waited >= maxWaitMs) return { rows: page.filter(isRow), ...facts, stale };
        // Read models that are far behind, as after a restore, would be asked 120 times by each read.
        await delay(Math.min(Math.max(pollMs, waited / 4), maxWaitMs - waited));
      }
    },
  };
}

type Facts = Pick<FreshRead<never>, 'reached' | 'lastWrite' | 'suspended' | 'actor'>;

/** The facts repeated in every row of a page. */
function factsIn(first: FactsOfRow | undefined, tables: readonly string[], isActing: boolean): Facts {
  if (first === undefined) return { reached: origin, lastWrite: origin, suspended: false, actor: undefined };
  return {
    reached: reachedIn(first, tables),
    lastWrite: lastWriteIn(first),
    suspended: first.owner_suspended,
    actor: isActing ? actorIn(first) : undefined,
  };
}

const latest = (...positions: readonly Position[]): Position =>
  positions.reduce((last, each) => (isAfter(each, last) ? each : last));

/**
 * A connection's plan of `select *` becomes invalid when a table with other columns replaces the old one. The failure removes the
 * connection from the pool, so there are no more failures than connections.
 */
async function replanned<T>(query: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await query();
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
    }
  }
}

const isRow = <Row extends { readonly id: string }>(row: Page<Row>): row is FactsOfRow & Row =>
  row.id !== null;

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { isAfter, origin } from '../../infra/event-store/client/position.ts';
import { isPlanOutdated, isoTimes } from '../../infra/postgres/index.ts';
import {
  notedIn,
  reachedIn,
  type FactsOfRow,
  type Statement,
} from '../../projections/queries/fresh-statement.ts';

export interface FreshRead<Row> {
  readonly rows: readonly Row[];
  /** How far the read model was when they were read. */
  readonly reached: Position;
  /** The account's last acknowledged write. */
  readonly noted: Position;
  /** Whether the account was suspended by then. */
  readonly suspended: boolean;
  /** The wait was given up: the rows are older than what they were to be. */
  readonly stale: boolean;
}

export interface FreshReads {
  /** Runs the statement, its times as ISO 8601 strings, again and again while the read model is behind the account's own writes or `atLeast`. */
  read<P, Row extends { readonly id: string }>(
    statement: Statement<P, Row>,
    parameters: P,
    atLeast?: Position,
  ): Promise<FreshRead<Row>>;
}

interface Options {
  readonly pool: pg.Pool;
  /** The longest a read waits to be fresh, milliseconds; then it serves what there is and says so. */
  readonly maxWaitMs?: number;
  readonly pollMs?: number;
}

type Page<Row> = FactsOfRow & (Row | Record<keyof Row, null>);

export function createFreshReads({ pool, maxWaitMs = 1000, pollMs = 8 }: Options): FreshReads {
  return {
    async read<P, Row extends { readonly id: string }>(
      { name, text, tables, values }: Statement<P, Row>,
      parameters: P,
      atLeast = origin,
    ): Promise<FreshRead<Row>> {
      const query = { name, text, values: values(parameters), types: isoTimes };
      const giveUpAt = performance.now() + maxWaitMs;
      let wanted: Position | undefined;
      for (;;) {
        const { rows: page } = await replanned(() => pool.query<Page<Row>>(query));
        const [first] = page;
        const reached = first ? reachedIn(first, tables) : origin;
        const noted = first ? notedIn(first) : origin;
        // What is written while this read waits is not what it waits for.
        wanted ??= isAfter(noted, atLeast) ? noted : atLeast;
        const stale = isAfter(wanted, reached);
        if (!stale || performance.now() >= giveUpAt)
          return {
            rows: page.filter(isRow),
            reached,
            noted,
            suspended: first?.owner_suspended ?? false,
            stale,
          };
        await delay(pollMs);
      }
    },
  };
}

/**
 * A connection's plan of `select *` ends when a table of other columns replaces the old one. The failure takes the
 * connection out of the pool, so that there are no more of them than connections.
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

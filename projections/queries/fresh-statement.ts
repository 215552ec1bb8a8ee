import { sql, type Compilable, type RawBuilder } from 'kysely';
import { anyAccount } from '../../infra/postgres/index.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import { fromColumns } from '../../infra/postgres/position-columns.ts';
import { live, outdatedIn, reachedBy, type OutdatedColumn } from '../engine/checkpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';

/** Stands for a value in a query that is compiled before there is one. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Names a value that a compiled query is run with. */
export type Parameters<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>;

/** A query compiled once, to be run as a named statement: Postgres parses and plans it once per connection. */
export interface Statement<P, Row> {
  readonly name: string;
  readonly text: string;
  /** The read models it reads. */
  readonly tables: readonly string[];
  readonly values: (parameters: P) => unknown[];
  /** Types only: never there at run time. */
  readonly row?: Row;
}

/** Whose position the rows must have reached: a fixed account's, or that of the account a row belongs to. */
type Owner = 'accountId' | 'account of the row';

interface FreshOptions {
  readonly owner?: Owner;
  readonly order?: string;
  /** Read models that are read besides the statement, and must be as fresh. */
  readonly alsoReads?: readonly string[];
}

/**
 * Wraps a query so that its rows come with three facts, in one round trip and one snapshot: how far its read models are, how
 * far the account's writes were when they were last acknowledged, and whether the account is suspended. There is always at least one row; without a
 * result its columns are null. `order` repeats the query's own, which a join does not promise to keep.
 */
export function freshStatement<P extends object, Row extends { readonly id: string }>(
  name: string,
  build: (parameter: Parameters<P>) => Compilable<Row>,
  { owner = 'accountId', order, alsoReads = [] }: FreshOptions = {},
): Statement<P & { readonly accountId?: string }, Row> {
  const parameter: Parameters<P> = (key) => sql`${new Placeholder(key)}`;
  const inner = build(parameter).compile();
  const placeholders = inner.parameters;
  const ownerSql =
    owner === 'accountId' ? `$${placeholders.length + 1}` : `coalesce(page.account_id, '${anyAccount}')`;
  const text = `
    select page.*,
      reached.commit_position as reached_commit, reached.prepare_position as reached_prepare, reached.outdated,
      noted.commit_position as noted_commit, noted.prepare_position as noted_prepare,
      owner.suspended_at is not null as owner_suspended
    from (select 1) as always
    left join (${inner.sql}) as page on true
    left join runtime.checkpoints as reached on reached.name = '${live.checkpoint}'
    left join ephemeral.account_positions as noted on noted.account_id = ${ownerSql}
    left join read_model.accounts as owner on owner.id = ${ownerSql}
    ${order === undefined ? '' : `order by ${order}`}`;
  return {
    name,
    text,
    tables: [...alsoReads, ...[...inner.sql.matchAll(tableNames)].map(([, table = '']) => table)],
    values: (given) => {
      const named = new Map<string, unknown>(Object.entries(given));
      const values = placeholders.map((each) => (each instanceof Placeholder ? named.get(each.name) : each));
      return owner === 'accountId' ? [...values, named.get('accountId')] : values;
    },
  };
}

/** As kysely quotes them, and as they stand in SQL written by hand. */
const tableNames = /\bread_model"?\."?(\w+)/g;

export interface FactsOfRow extends OutdatedColumn {
  readonly owner_suspended: boolean;
  readonly reached_commit: string | null;
  readonly reached_prepare: string | null;
  readonly noted_commit: string | null;
  readonly noted_prepare: string | null;
}

export const reachedIn = (row: FactsOfRow, tables: readonly string[]): Position =>
  reachedBy(tables, positionOf(row.reached_commit, row.reached_prepare), outdatedIn(row));
export const notedIn = (row: FactsOfRow): Position => positionOf(row.noted_commit, row.noted_prepare);

const positionOf = (commit: string | null, prepare: string | null): Position =>
  commit === null || prepare === null
    ? origin
    : fromColumns({ commit_position: commit, prepare_position: prepare });

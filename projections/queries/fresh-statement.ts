import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { TeamRole } from '../../contracts/events/team-member.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { anyAccount } from '../../infra/ephemeral/index.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import { fromColumns } from '../../infra/postgres/position-columns.ts';
import { live, outdatedIn, leastAdvanced, type OutdatedColumn } from '../engine/checkpoint.ts';
import type { PastSchema } from '../engine/table.ts';
import type { Position } from '../../infra/event-store/client/types.ts';

/** Placeholder for a parameter in a precompiled query. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Names a parameter of a compiled query. */
export type Parameters<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>;

/** One form of a statement. */
interface Asked {
  readonly name: string;
  readonly text: string;
  /** Live read models that it reads. */
  readonly tables: readonly string[];
  /** The form for rows of a past, with current facts. */
  readonly ofPast: (schema: PastSchema) => Omit<Asked, 'ofPast'>;
}

/** A query compiled once, to be run as a named statement: Postgres parses and plans it once per connection. */
export interface Statement<P, Row> {
  /** For a caller's own account; for a caller acting on an owner's account. */
  readonly own: Asked;
  readonly acting: Asked;
  /** Values for both; `actorId`: the acting account. */
  readonly values: (parameters: P, actorId?: AccountId) => unknown[];
  /** Types only; never set at run time. */
  readonly row?: Row;
}

/** The account whose writes the rows must include: a given one, or the row's. */
type Owner = 'accountId' | 'account of the row';

interface FreshOptions {
  readonly owner?: Owner;
  readonly order?: string;
  /** Further read models that must be as fresh. */
  readonly alsoReads?: readonly string[];
}

/**
 * Wraps a query so that its rows include three facts, in one round trip and one snapshot: the checkpoint of its read models, the
 * account's last acknowledged write, and whether the account is suspended. There is always at least one row; without a result its
 * columns are null. `order` repeats the query's own, because a join need not keep it.
 *
 * For a caller acting on an owner's account there are three more: the role on the owner's team, the acting account's own last
 * write, and whether that account is suspended.
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
  const asked = (suffix: string, columns: string, joins: string) =>
    askedOf(`${name}${suffix}`, { rows: inner.sql, ownerSql, columns, joins, order, alsoReads });
  return {
    own: asked('', '', ''),
    acting: asked('-acting', actingColumns, actingJoins(ownerSql, `$${placeholders.length + 2}`)),
    values: (given, actorId) => {
      const named = new Map<string, unknown>(Object.entries(given));
      const values = placeholders.map((each) => (each instanceof Placeholder ? named.get(each.name) : each));
      if (owner === 'accountId') values.push(named.get('accountId'));
      return actorId === undefined ? values : [...values, actorId];
    },
  };
}

interface Parts {
  /** The query of the rows. */
  readonly rows: string;
  readonly ownerSql: string;
  /** For a caller acting on an owner's account. */
  readonly columns: string;
  readonly joins: string;
  readonly order: string | undefined;
  readonly alsoReads: readonly string[];
}

function askedOf(name: string, { rows, ownerSql, columns, joins, order, alsoReads }: Parts): Asked {
  const textOf = (page: string) => `
    select page.*,
      reached.commit_position as reached_commit, reached.prepare_position as reached_prepare, reached.outdated,
      last_write.commit_position as last_write_commit, last_write.prepare_position as last_write_prepare,
      owner.suspended_at is not null as owner_suspended ${columns}
    from (select 1) as always
    left join (${page}) as page on true
    left join runtime.checkpoints as reached on reached.name = '${live.checkpoint}'
    left join ephemeral.account_positions as last_write on last_write.account_id = ${ownerSql}
    left join read_model.accounts as owner on owner.id = ${ownerSql} ${joins}
    ${order === undefined ? '' : `order by ${order}`}`;
  return {
    name,
    text: textOf(rows),
    tables: [...alsoReads, ...tablesIn(`${rows} ${joins}`)],
    ofPast: (schema) => ({
      name: `${name}-past`,
      text: textOf(inSchema(rows, schema)),
      tables: tablesIn(joins),
    }),
  };
}

const actingColumns = `,
      membership.role as actor_role, actor.suspended_at is not null as actor_suspended,
      actor_last_write.commit_position as actor_last_write_commit,
      actor_last_write.prepare_position as actor_last_write_prepare`;

const actingJoins = (ownerSql: string, actorSql: string): string => `
    left join read_model.team_members as membership on membership.account_id = ${ownerSql}
      and membership.member_account_id = ${actorSql} and membership.removed_at is null
    left join ephemeral.account_positions as actor_last_write on actor_last_write.account_id = ${actorSql}
    left join read_model.accounts as actor on actor.id = ${actorSql}`;

/** Matches table names as quoted by kysely, and as in hand-written SQL. */
const tableNames = /\bread_model"?\."?(\w+)/g;
const tablesIn = (text: string): string[] => [...text.matchAll(tableNames)].map(([, table = '']) => table);

/** The statement on the tables of the schema, where tables of current data are empty. */
const inSchema = (text: string, schema: PastSchema): string =>
  text.replaceAll(/\b(?:read_model|ephemeral)(?="?\.)/g, schema);

export interface FactsOfRow extends OutdatedColumn {
  readonly owner_suspended: boolean;
  readonly reached_commit: string | null;
  readonly reached_prepare: string | null;
  readonly last_write_commit: string | null;
  readonly last_write_prepare: string | null;
  /** Only for a caller acting on another account. */
  readonly actor_role?: TeamRole | null;
  readonly actor_suspended?: boolean;
  readonly actor_last_write_commit?: string | null;
  readonly actor_last_write_prepare?: string | null;
}

/** The acting account, in the snapshot of the rows. */
export interface ActorFacts {
  /** Null: not on the owner's team. */
  readonly role: TeamRole | null;
  readonly suspended: boolean;
  /** The last acknowledged write of the acting account. */
  readonly lastWrite: Position;
}

export const reachedIn = (row: FactsOfRow, tables: readonly string[]): Position =>
  leastAdvanced(tables, positionOf(row.reached_commit, row.reached_prepare), outdatedIn(row));
export const lastWriteIn = (row: FactsOfRow): Position =>
  positionOf(row.last_write_commit, row.last_write_prepare);
export const actorIn = (row: FactsOfRow): ActorFacts => ({
  role: row.actor_role ?? null,
  suspended: row.actor_suspended ?? false,
  lastWrite: positionOf(row.actor_last_write_commit ?? null, row.actor_last_write_prepare ?? null),
});

const positionOf = (commit: string | null, prepare: string | null): Position =>
  commit === null || prepare === null
    ? origin
    : fromColumns({ commit_position: commit, prepare_position: prepare });

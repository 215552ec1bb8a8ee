import pg from 'pg';
import { dayMs } from '../../contracts/durations.ts';
import type { Migration } from './migrate.ts';

/** Days since 1970-01-01 in UTC, by which tables are partitioned. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);

/**
 * Tables partitioned by day, whose old days are dropped. Partitions are in a schema of their own and named for their table's oid,
 * so that they follow a table that moves to another schema. A drop does not wait for its lock: a backup that reads the table
 * would block its writer, and the next day drops two.
 */
export const dayMigrations: readonly Migration[] = [
  {
    id: 'postgres/9-days',
    sql: `
      create schema if not exists days;
      create table runtime.retention (name text primary key, days integer not null check (days > 0));
      create function runtime.add_day(parent regclass, added integer) returns void language plpgsql as $$
      declare
        part text := format('table_%s_day_%s', parent::oid, added);
        kept integer := coalesce((select days from runtime.retention where name = 'causes'), 30);
        old text;
      begin
        perform pg_advisory_xact_lock(hashtextextended('days', parent::oid::bigint));
        if to_regclass('days.' || part) is null then
          execute format('create table days.%I (like %s including all)', part, parent);
          execute format('alter table %s attach partition days.%I for values in (%s)', parent, part, added);
        end if;
        for old in
          select relname from (
            select relname, substring(relname from '_day_([0-9]+)$')::integer as day
            from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = parent
          ) as parts where day < added - kept
        loop
          begin
            set local lock_timeout = '100ms';
            execute format('drop table days.%I', old);
          exception when lock_not_available then
            raise log 'days.% is in use and dropped on another day', old;
          end;
        end loop;
      end $$;`,
  },
];

/** Days are counted back from the added day, or from Postgres's today if that is earlier: a process whose clock is ahead drops nothing. */
export const daysAheadMigration: Migration = {
  id: 'postgres/11-days-ahead',
  sql: `
    create or replace function runtime.add_day(parent regclass, added integer) returns void language plpgsql as $$
    declare
      part text := format('table_%s_day_%s', parent::oid, added);
      kept integer := coalesce((select days from runtime.retention where name = 'causes'), 30);
      today integer := floor(extract(epoch from now()) / 86400);
      old text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('days', parent::oid::bigint));
      if to_regclass('days.' || part) is null then
        execute format('create table days.%I (like %s including all)', part, parent);
        execute format('alter table %s attach partition days.%I for values in (%s)', parent, part, added);
      end if;
      for old in
        select relname from (
          select relname, substring(relname from '_day_([0-9]+)$')::integer as day
          from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = parent
        ) as parts where day < least(added, today) - kept
      loop
        begin
          set local lock_timeout = '100ms';
          execute format('drop table days.%I', old);
        exception when lock_not_available then
          raise log 'days.% is in use and dropped on another day', old;
        end;
      end loop;
    end $$;`,
};

/** A table and a day without a partition. */
interface MissingDay {
  readonly table: string;
  readonly day: number;
}

/** The missing partition behind a failed insert; undefined for any other error. */
export function missingDayIn(error: unknown): MissingDay | undefined {
  if (!(error instanceof pg.DatabaseError) || error.routine !== 'ExecFindPartition') return undefined;
  const [, day] = /\(day\) = \((-?\d+)\)/.exec(error.detail ?? '') ?? [];
  return day === undefined ? undefined : { table: `${error.schema}.${error.table}`, day: Number(day) };
}

/** Creates the partition, and drops those of expired days, counted from this one or, if it is in the future, from today. */
export const addDay = (client: Pick<pg.ClientBase, 'query'>, { table, day }: MissingDay): Promise<unknown> =>
  client.query('select runtime.add_day($1::regclass, $2)', [table, day]);

/** Sets the number of days kept, for every process that adds the next one. */
export const keepDays = (client: Pick<pg.Pool, 'query'>, days: number): Promise<unknown> =>
  client.query(
    `insert into runtime.retention (name, days) values ('causes', $1)
     on conflict (name) do update set days = excluded.days`,
    [days],
  );

import type { Migration } from '../../infra/postgres/migrate.ts';
import { projections } from '../catalogue.ts';
import { createIndexes, createTable } from './table.ts';

/**
 * Checkpoints, parked events, and a table for every read model. Needs `postgresMigrations` before it. A table that changes is
 * not migrated but built anew, see `upgrade.ts`; one that is new in a database with events is begun as an outdated one, for
 * the same builder to fill.
 */
export const projectionMigrations: readonly Migration[] = [
  {
    id: 'projections/1-runtime',
    sql: `
      create table runtime.checkpoints (
        name text primary key,
        commit_position bigint not null,
        prepare_position bigint not null,
        moved_at timestamptz not null default now()
      );
      create table runtime.parked (
        schema text not null,
        projection text not null,
        row_key text not null,
        commit_position bigint not null,
        prepare_position bigint not null,
        event_id text not null,
        event_type text not null,
        stream text not null,
        revision bigint not null,
        reason text not null,
        attempts integer not null default 1,
        parked_at timestamptz not null default now(),
        primary key (schema, projection, commit_position, prepare_position)
      );
      create index on runtime.parked (schema, projection, row_key);`,
  },
  {
    id: 'projections/2-outdated-tables',
    sql: 'alter table runtime.checkpoints add column outdated jsonb;',
  },
  ...projections.map(({ name, table }) => ({
    id: `projections/${name}-1`,
    sql: `
      ${createTable(table, 'read_model')}
      ${createIndexes(table, 'read_model')}
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"${name}": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';`,
  })),
];

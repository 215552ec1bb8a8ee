import type { Migration } from '../../infra/postgres/migrate.ts';
import { projections } from '../catalogue.ts';
import { createIndexes, createTable } from './table.ts';

/**
 * Checkpoints, parked events, and a table per read model. Requires `postgresMigrations` first. A changed table is not migrated
 * but rebuilt, see `upgrade.ts`; a new table in a database with events starts as outdated, to be filled by the same builder.
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

import { dayMigrations, daysAheadMigration } from './days.ts';
import type { Migration } from './migrate.ts';

const schemas = ['read_model', 'shadow', 'previous', 'runtime', 'ephemeral', 'vault'];

/**
 * The schemas, and ephemeral tables, whose loss affects only the freshness of replies around a crash of Postgres, the last use of
 * keys, and how soon a silent process is noticed.
 */
export const postgresMigrations: readonly Migration[] = [
  {
    id: 'postgres/1-schemas',
    sql: schemas.map((name) => `create schema if not exists ${name};`).join('\n'),
  },
  {
    id: 'postgres/2-account-positions',
    sql: `
      create unlogged table ephemeral.account_positions (
        account_id text primary key,
        commit_position bigint not null,
        prepare_position bigint not null
      ) with (fillfactor = 50);`,
  },
  {
    // A new key would be refused as unknown after a crash, until the projector has caught up.
    id: 'postgres/3-account-positions-survive-a-crash',
    sql: 'alter table ephemeral.account_positions set logged;',
  },
  {
    id: 'postgres/4-key-uses',
    sql: `
      create unlogged table ephemeral.key_uses (
        key_id text primary key,
        used_at timestamptz not null
      ) with (fillfactor = 50);`,
  },
  {
    // Logged: if heartbeats were lost in a crash of Postgres, every running turn would count as lost.
    id: 'postgres/5-signs-of-life',
    sql: `
      create table ephemeral.signs_of_life (
        key text primary key,
        seen_at timestamptz not null
      ) with (fillfactor = 50);
      create index signs_of_life_seen_at on ephemeral.signs_of_life (seen_at);`,
  },
  {
    id: 'postgres/6-permits',
    sql: `
      create unlogged table ephemeral.permits (
        key text not null,
        slot integer not null,
        holder uuid not null,
        expires_at timestamptz not null,
        primary key (key, slot)
      ) with (fillfactor = 50);`,
  },
  {
    id: 'postgres/7-card-checks',
    sql: `
      create unlogged table ephemeral.card_checks (
        account_id text primary key,
        asked_at timestamptz,
        answered_at timestamptz,
        wanted_at timestamptz
      ) with (fillfactor = 50);
      create index card_checks_wanted on ephemeral.card_checks (wanted_at)
        where wanted_at is not null and (answered_at is null or wanted_at > answered_at);`,
  },
  {
    // Logged: a process that has recorded a use does not record it again that day.
    id: 'postgres/8-deprecated-uses',
    sql: `
      create table ephemeral.deprecated_uses (
        account_id text not null,
        deprecation_id text not null,
        day date not null,
        primary key (account_id, deprecation_id, day)
      );`,
  },
  ...dayMigrations,
  {
    // The answer to each request; its changes are in the log.
    id: 'postgres/10-requests',
    sql: `
      create table ephemeral.requests (
        day integer not null,
        id text not null,
        account_id text,
        operation text not null,
        status integer not null,
        at timestamptz not null,
        duration_ms integer not null
      ) partition by list (day);
      create index on ephemeral.requests (id);`,
  },
  daysAheadMigration,
];

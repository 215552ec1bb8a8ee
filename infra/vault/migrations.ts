/**
 * The vault's own schema: backed up separately and never rebuilt. A row outlives its key, so that "erased" can be distinguished
 * from "never existed".
 */
export const vaultMigrations = [
  {
    id: 'vault-001-data-keys',
    sql: `
      create schema if not exists vault;
      create table vault.data_keys (
        account_id text primary key,
        master_key text not null,
        wrapped bytea,
        created_at timestamptz not null default now(),
        erased_at timestamptz,
        check ((wrapped is null) = (erased_at is not null))
      );`,
  },
  {
    id: 'vault-002-signing-keys',
    sql: `
      create table vault.signing_keys (
        id text primary key,
        sequence bigint generated always as identity,
        purpose text not null,
        master_key text not null,
        wrapped bytea not null,
        created_at timestamptz not null default now()
      );`,
  },
  {
    id: 'vault-003-rotation',
    sql: `
      create table vault.naming_key (
        one boolean primary key default true check (one),
        name text not null
      );
      create schema if not exists ephemeral;
      create unlogged table ephemeral.key_holders (
        holder uuid primary key,
        process text not null,
        keys jsonb not null,
        seen_at timestamptz not null default now()
      );`,
  },
  {
    // Signed heads must outlive read models, and everything that may be older after a restore.
    id: 'vault-004-signed-heads',
    sql: `
      create table vault.signed_heads (
        account_id text not null,
        log text not null,
        size integer not null,
        root text not null,
        /** In which order logs followed one another. */
        sequence bigint generated always as identity,
        signed_at timestamptz not null default now(),
        /** The size of the newest note that is an event. */
        recorded integer not null default 0,
        primary key (account_id, log)
      );
      create table vault.signing_stops (
        log text primary key,
        reason text not null,
        at timestamptz not null default now()
      );`,
  },
] as const;

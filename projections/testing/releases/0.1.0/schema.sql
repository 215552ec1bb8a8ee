create schema runtime;
create table runtime.migrations (id text primary key, applied_at timestamptz not null default now());
create schema if not exists read_model;
create schema if not exists shadow;
create schema if not exists previous;
create schema if not exists runtime;
create schema if not exists ephemeral;
create schema if not exists vault;
create unlogged table ephemeral.account_positions (
        account_id text primary key,
        commit_position bigint not null,
        prepare_position bigint not null
      ) with (fillfactor = 50);
alter table ephemeral.account_positions set logged;
create unlogged table ephemeral.key_uses (
        key_id text primary key,
        used_at timestamptz not null
      ) with (fillfactor = 50);
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
      create index on runtime.parked (schema, projection, row_key);
create table read_model.sessions (
    id text not null,
    account_id text not null,
    archetype text not null,
    status text not null,
    label text,
    metadata jsonb not null,
    profile_id text,
    node_id text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    ready_at timestamptz,
    destroyed_at timestamptz,
    ended_reason text,
    expires_at timestamptz,
    egress_capabilities jsonb,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.sessions (account_id, created_at desc, id desc);
create index on read_model.sessions (node_id) where status in ('creating', 'ready', 'busy');
create table read_model.api_keys (
    id text not null,
    account_id text not null,
    name text not null,
    scopes jsonb not null,
    prefix text not null,
    last4 text not null,
    hash text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    rotated_to text,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.api_keys (account_id, created_at desc, id desc);
create table read_model.accounts (
    id text not null,
    sealed_email text not null,
    tier text not null,
    concurrency_override integer,
    suspended_at timestamptz,
    suspended_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create table read_model.audit_log (
    account_id text not null,
    sequence integer not null,
    id text not null,
    action text not null,
    actor_account_id text,
    actor_key_id text,
    actor_type text not null,
    target_type text not null,
    target_id text not null,
    payload jsonb not null,
    ip text,
    user_agent text,
    request_id text,
    created_at timestamptz not null,
    prev_hash text not null,
    hash text not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (account_id, sequence)
  );
create table read_model.nodes (
    id text not null,
    name text not null,
    credential_hash text not null,
    draining boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    revoked_at timestamptz,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create table read_model.timers (
    id text not null,
    kind text not null,
    subject_id text not null,
    account_id text not null,
    due_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.timers (due_at);
create index on read_model.timers (subject_id);
create table read_model.webhooks (
    id text not null,
    account_id text not null,
    url text not null,
    events jsonb not null,
    description text,
    consecutive_failures integer not null,
    disabled_at timestamptz,
    deleted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    secret_created_at timestamptz not null,
    previous_secret_expires_at timestamptz,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.webhooks (account_id, created_at desc, id desc) where deleted_at is null;
create index on read_model.webhooks (consecutive_failures desc) where consecutive_failures > 0 and deleted_at is null and disabled_at is null;
create index on read_model.webhooks (greatest(disabled_at, deleted_at)) where disabled_at is not null or deleted_at is not null;
create table read_model.webhook_deliveries (
    id text not null,
    account_id text not null,
    endpoint_id text not null,
    event_id text not null,
    event_type text not null,
    status text not null,
    trigger text not null,
    replay_of text,
    replay_id text,
    attempt_count integer not null,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    delivered_at timestamptz,
    attempts jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.webhook_deliveries (endpoint_id, created_at desc, id desc);
create index on read_model.webhook_deliveries (endpoint_id, status, event_type, created_at desc, id desc);
create index on read_model.webhook_deliveries (next_attempt_at, id) where status in ('pending', 'retrying');
create index on read_model.webhook_deliveries (replay_id) where replay_id is not null and status in ('pending', 'retrying');
create table read_model.webhook_replays (
    id text not null,
    account_id text not null,
    endpoint_id text not null,
    status text not null,
    since timestamptz not null,
    until timestamptz not null,
    types jsonb,
    scheduled integer not null,
    created_at timestamptz not null,
    completed_at timestamptz,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create table read_model.account_events (
    id text not null,
    account_id text not null,
    type text not null,
    created_at timestamptz not null,
    stream text not null,
    revision bigint not null,
    body text not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.account_events (account_id, commit_position, prepare_position);
create index on read_model.account_events (account_id, created_at, type);
create table read_model.mails (
    id text not null,
    account_id text not null,
    template text not null,
    facts jsonb not null,
    status text not null,
    attempt_count integer not null,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
create index on read_model.mails (created_at desc, id desc);
create index on read_model.mails (next_attempt_at) where status = 'queued';

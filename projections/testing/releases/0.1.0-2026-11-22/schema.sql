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
create table ephemeral.signs_of_life (
        key text primary key,
        seen_at timestamptz not null
      ) with (fillfactor = 50);
      create index signs_of_life_seen_at on ephemeral.signs_of_life (seen_at);
create unlogged table ephemeral.permits (
        key text not null,
        slot integer not null,
        holder uuid not null,
        expires_at timestamptz not null,
        primary key (key, slot)
      ) with (fillfactor = 50);
create unlogged table ephemeral.card_checks (
        account_id text primary key,
        asked_at timestamptz,
        answered_at timestamptz,
        wanted_at timestamptz
      ) with (fillfactor = 50);
      create index card_checks_wanted on ephemeral.card_checks (wanted_at)
        where wanted_at is not null and (answered_at is null or wanted_at > answered_at);
create table ephemeral.deprecated_uses (
        account_id text not null,
        deprecation_id text not null,
        day date not null,
        primary key (account_id, deprecation_id, day)
      );
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
alter table runtime.checkpoints add column outdated jsonb;
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
  comment on table read_model.sessions is '2-d4c19fbbde6c';
      create index on read_model.sessions (account_id, created_at desc, id desc);
create index on read_model.sessions (node_id) where status in ('creating', 'ready', 'busy');
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"sessions": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.api_keys is '1-10176ab3b476';
      create index on read_model.api_keys (account_id, created_at desc, id desc);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"api_keys": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.accounts (
    id text not null,
    sealed_email text not null,
    tier text not null,
    concurrency_override integer,
    suspended_at timestamptz,
    suspended_reason text,
    erased_at timestamptz,
    accepted_revision text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.accounts is '1-0c1685b17889';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"accounts": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.audit_log is '1-a0afa99c1a24';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"audit_log": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.nodes is '1-f89122bc0b10';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"nodes": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.timers is '1-9a114bff86b5';
      create index on read_model.timers (due_at);
create index on read_model.timers (subject_id);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"timers": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.webhooks is '1-9a9e180cd871';
      create index on read_model.webhooks (account_id, created_at desc, id desc) where deleted_at is null;
create index on read_model.webhooks (consecutive_failures desc) where consecutive_failures > 0 and deleted_at is null and disabled_at is null;
create index on read_model.webhooks (greatest(disabled_at, deleted_at)) where disabled_at is not null or deleted_at is not null;
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"webhooks": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.webhook_deliveries is '1-9714c80c83f1';
      create index on read_model.webhook_deliveries (endpoint_id, created_at desc, id desc);
create index on read_model.webhook_deliveries (endpoint_id, status, event_type, created_at desc, id desc);
create index on read_model.webhook_deliveries (next_attempt_at, id) where status in ('pending', 'retrying');
create index on read_model.webhook_deliveries (replay_id) where replay_id is not null and status in ('pending', 'retrying');
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"webhook_deliveries": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.webhook_replays is '1-8bdc4db5d0cd';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"webhook_replays": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
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
  comment on table read_model.account_events is '1-e52259d352b1';
      create index on read_model.account_events (account_id, commit_position, prepare_position);
create index on read_model.account_events (account_id, created_at, type);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"account_events": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.mails (
    id text not null,
    account_id text,
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
  comment on table read_model.mails is '1-d170abdc4c59';
      create index on read_model.mails (created_at desc, id desc);
create index on read_model.mails (next_attempt_at) where status = 'queued';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"mails": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.second_factors (
    id text not null,
    enrolled_at timestamptz,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.second_factors is '1-72e008fd9424';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"second_factors": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.logins (
    id text not null,
    epoch integer not null,
    epoch_since timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.logins is '1-cca3467190b8';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"logins": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.web_sessions (
    id text not null,
    account_id text not null,
    kind text not null,
    scopes jsonb not null,
    epoch integer not null,
    refresh_until timestamptz not null,
    ended_at timestamptz,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.web_sessions is '1-65780ab77f16';
      create index on read_model.web_sessions (account_id, created_at desc, id desc);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"web_sessions": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.organizations (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.organizations is 'b011a2af12cf-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"organizations": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.email_preferences (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.email_preferences is '723fecf58a38-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"email_preferences": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.own_llm_keys (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.own_llm_keys is 'd7081b46ce7d-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"own_llm_keys": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.bundled_llm (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.bundled_llm is '0386f4ce8a5e-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"bundled_llm": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.bundled_spend (
    id text not null,
    spent_cents integer not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.bundled_spend is '2-867eaa00451b';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"bundled_spend": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.usage_hours (
    account_id text not null,
    hour timestamptz not null,
    started integer not null,
    busy bigint not null,
    peak integer not null,
    counted_to timestamptz not null,
    running integer not null,
    agent_turns integer not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cost_cents bigint not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (account_id, hour)
  );
  comment on table read_model.usage_hours is '2-e31cc8febd22';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"usage_hours": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.team_invitations (
    id text not null,
    account_id text not null,
    sealed_email text not null,
    role text not null,
    status text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.team_invitations is '1-909fa822c0ab';
      create index on read_model.team_invitations (account_id, created_at desc, id desc) where status = 'open';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"team_invitations": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.team_members (
    id text not null,
    account_id text not null,
    member_account_id text not null,
    role text not null,
    created_at timestamptz not null,
    removed_at timestamptz,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.team_members is '1-9ad433d837fa';
      create index on read_model.team_members (account_id, created_at desc, id desc) where removed_at is null;
create index on read_model.team_members (member_account_id, created_at desc, id desc) where removed_at is null;
create index on read_model.team_members (account_id, member_account_id) where removed_at is null;
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"team_members": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.profiles (
    id text not null,
    account_id text not null,
    status text not null,
    storage_bytes bigint not null,
    state jsonb not null,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.profiles is 'fe29bf9ceac5-cfb1ebf246db';
      create index on read_model.profiles (account_id, created_at desc, id desc) where status = 'active';
create index on read_model.profiles (account_id, created_at desc, id desc) where status = 'trashed';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"profiles": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.profile_snapshots (
    id text not null,
    account_id text not null,
    profile_id text,
    status text not null,
    state jsonb not null,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.profile_snapshots is '9afd0bbf9c6b-f3dcb9cab100';
      create index on read_model.profile_snapshots (account_id, created_at desc, id desc) where status = 'kept';
create index on read_model.profile_snapshots (profile_id, created_at desc, id desc) where status = 'kept';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"profile_snapshots": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.profile_storage (
    id text not null,
    profile_id text not null,
    account_id text not null,
    hour timestamptz not null,
    bytes bigint not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.profile_storage is '1-85407e1b865d';
      create index on read_model.profile_storage (account_id, profile_id);
create index on read_model.profile_storage (profile_id, hour);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"profile_storage": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.agent_sessions (
    id text not null,
    account_id text not null,
    status text not null,
    state jsonb not null,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.agent_sessions is '56701cb9a616-386bfff100ca';
      create index on read_model.agent_sessions (account_id, created_at desc, id desc);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"agent_sessions": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.subscriptions (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.subscriptions is '3d1755708395-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"subscriptions": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.bill_lines (
    id text not null,
    account_id text not null,
    period text not null,
    kind text not null,
    item text,
    amount_cents bigint not null,
    paid_at timestamptz not null,
    shown text not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.bill_lines is '1-95e131364498';
      create index on read_model.bill_lines (account_id, period);
create index on read_model.bill_lines (period);
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"bill_lines": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.orders (
    id text not null,
    account_id text not null,
    status text not null,
    reviews integer not null,
    state jsonb not null,
    created_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.orders is 'babe912d1459-494bd179a336';
      create index on read_model.orders (account_id, created_at desc, id desc) where status not in ('placed', 'withdrawn');
create index on read_model.orders (status) where status in ('partially_paid', 'confirming');
create index on read_model.orders (created_at) where reviews > 0;
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"orders": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.recipes (
    id text not null,
    account_id text not null,
    status text not null,
    fields jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.recipes is '8487c1af9acd-d924a0b0d45f';
      create index on read_model.recipes (account_id, created_at desc, id desc) where status = 'live';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"recipes": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.deprecated_uses (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.deprecated_uses is '684416550031-1edb5f0585ff';
      
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"deprecated_uses": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.status_subscribers (
    id text not null,
    state jsonb not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.status_subscribers is '7e94064eadb0-e3c3ad1d5e4f';
      create index on read_model.status_subscribers (id) where state -> 'confirmed' <> 'null'::jsonb;
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"status_subscribers": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';
create table read_model.proxies (
    id text not null,
    account_id text not null,
    status text not null,
    fields jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (id)
  );
  comment on table read_model.proxies is '755cbf88d2b9-d924a0b0d45f';
      create index on read_model.proxies (account_id, created_at desc, id desc) where status = 'live';
      update runtime.checkpoints
      set outdated = coalesce(outdated, '{}') || '{"proxies": {"commit": "-1", "prepare": "-1", "builder": null}}'
      where name = 'read_model';

import type { AuditEntry } from '../../../contracts/resources/account.ts';
import type { Position, RecordedEvent } from '../../event-store/client/types.ts';
import { subscriptions } from '../../../projections/read-models/subscription.ts';
import {
  accountEventOf,
  accountEvents,
  type AccountEventRow,
} from '../../../projections/read-models/account-event.ts';
import { accounts } from '../../../projections/read-models/account.ts';
import { apiKeys } from '../../../projections/read-models/api-key.ts';
import { auditEntryOf, emptyChain } from '../../../projections/audit/entry.ts';
import { mails } from '../../../projections/read-models/mail.ts';
import { profiles } from '../../../projections/read-models/profile.ts';
import { profileSnapshots } from '../../../projections/read-models/profile-snapshot.ts';
import { profileStorage } from '../../../projections/read-models/profile-storage.ts';
import { nodes } from '../../../projections/read-models/node.ts';
import { ownerOf } from '../../event-store/client/owner.ts';
import { isAfter, origin } from '../../event-store/client/position.ts';
import type { ReadModel } from '../../../projections/engine/read-model.ts';
import {
  accountEmailPreferences,
  bundledLlmSettings,
  bundledSpends,
  organizations,
  ownLlmKeys,
} from '../../../projections/read-models/settings.ts';
import { sessions } from '../../../projections/read-models/session.ts';
import type { Columns, RowOf } from '../../../projections/engine/table.ts';
import { timerRowsOf, timers, type TimerRow } from '../../../projections/read-models/timer.ts';
import { webhookDeliveries } from '../../../projections/read-models/webhook-delivery.ts';
import { webhookReplays } from '../../../projections/read-models/webhook-replay.ts';
import { webhooks } from '../../../projections/read-models/webhook-endpoint.ts';

interface Rows<Row> {
  readonly rows: Map<string, Row>;
  apply(event: RecordedEvent): void;
}

/** The read models' tables in memory, computed by their own folds. */
export class ReadSide {
  readonly sessions = rowsOf(sessions);
  readonly timers = timerRows();
  readonly audit = auditRows();
  readonly webhooks = rowsOf(webhooks);
  readonly webhookDeliveries = rowsOf(webhookDeliveries);
  readonly webhookReplays = rowsOf(webhookReplays);
  readonly accountEvents = accountEventRows();
  readonly #tables: Readonly<Record<string, Rows<unknown>>> = {
    sessions: this.sessions,
    accounts: rowsOf(accounts),
    api_keys: rowsOf(apiKeys),
    nodes: rowsOf(nodes),
    timers: this.timers,
    audit_log: this.audit,
    webhooks: this.webhooks,
    webhook_deliveries: this.webhookDeliveries,
    webhook_replays: this.webhookReplays,
    account_events: this.accountEvents,
    mails: rowsOf(mails),
    profiles: rowsOf(profiles),
    profile_snapshots: rowsOf(profileSnapshots),
    profile_storage: rowsOf(profileStorage),
    organizations: rowsOf(organizations),
    email_preferences: rowsOf(accountEmailPreferences),
    own_llm_keys: rowsOf(ownLlmKeys),
    bundled_llm: rowsOf(bundledLlmSettings),
    bundled_spend: rowsOf(bundledSpends),
    subscriptions: rowsOf(subscriptions),
  };
  #checkpoint = origin;

  get checkpoint(): Position {
    return this.#checkpoint;
  }

  /** Applies a batch of the log and its checkpoint in one transaction; already applied events are skipped. */
  commit(batch: readonly RecordedEvent[]): void {
    for (const event of batch) {
      if (!isAfter(event.position, this.#checkpoint)) continue;
      for (const table of Object.values(this.#tables)) table.apply(event);
      this.#checkpoint = event.position;
    }
  }

  /** Every row of every table, in a fixed order. */
  content(): Readonly<Record<string, readonly unknown[]>> {
    const sorted = Object.entries(this.#tables).map(([name, { rows }]) => [
      name,
      [...rows].sort(([one], [other]) => (one < other ? -1 : 1)),
    ]);
    return Object.fromEntries(sorted) as Record<string, unknown[]>;
  }
}

function rowsOf<C extends Columns>({ categories, on, key }: ReadModel<C>): Rows<RowOf<C>> {
  const rows = new Map<string, RowOf<C>>();
  return {
    rows,
    apply: (event) => {
      const handle = categories.includes(event.category) ? on[event.type] : undefined;
      if (handle !== undefined) rows.set(key(event), handle(rows.get(key(event)), event));
    },
  };
}

function timerRows(): Rows<TimerRow> {
  const rows = new Map<string, TimerRow>();
  return {
    rows,
    apply: (event) => {
      const change = timers.categories.includes(event.category) ? timerRowsOf(event) : undefined;
      for (const id of change?.ended ?? []) rows.delete(id);
      for (const timer of change?.rows ?? []) rows.set(timer.id, timer);
    },
  };
}

function accountEventRows(): Rows<AccountEventRow> {
  const rows = new Map<string, AccountEventRow>();
  return {
    rows,
    apply: (event) => {
      const row = accountEvents.categories.includes(event.category) ? accountEventOf(event) : undefined;
      if (row !== undefined && !rows.has(row.id)) rows.set(row.id, row);
    },
  };
}

/** Rows of the audit log, by account and number in its chain. */
function auditRows(): Rows<AuditEntry> {
  const rows = new Map<string, AuditEntry>();
  const heads = new Map<string, AuditEntry>();
  return {
    rows,
    apply: (event) => {
      const account = ownerOf(event);
      if (account === undefined) return;
      const entry = auditEntryOf(event, heads.get(account) ?? emptyChain);
      if (entry === undefined) return;
      heads.set(account, entry);
      rows.set(`${account} ${String(entry.sequence).padStart(9, '0')}`, entry);
    },
  };
}

import type pg from 'pg';
import { emptyFrontier, grow, subtreesText } from '../../contracts/audit/tree.ts';
import { auditedTypes, categoriesWith } from '../../contracts/events/index.ts';
import type { AccountId, Id } from '../../contracts/ids.ts';
import type { AuditEntry } from '../../contracts/resources/account.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  jsonOf,
  textOf,
  writeRows,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';
import { auditEntryOf, emptyChain } from './entry.ts';
import { headsOf, leafOf, type LogHead } from './tree.ts';

const entryColumns = {
  account_id: textOf<AccountId>(),
  sequence: column.integer,
  id: textOf<Id<'auditEntry'>>(),
  action: column.text,
  actor_account_id: column.optionalText,
  actor_key_id: column.optionalText,
  actor_type: textOf<AuditEntry['actor_type']>(),
  target_type: column.text,
  target_id: column.text,
  payload: jsonOf<Record<string, unknown>>(),
  ip: column.optionalText,
  user_agent: column.optionalText,
  request_id: column.optionalText,
  created_at: column.time,
  prev_hash: column.text,
  hash: column.text,
};
export type AuditRow = RowOf<typeof entryColumns>;

export const auditColumns = Object.keys(entryColumns);

/**
 * SQL: the account whose owner or key caused an entry; null for the system, for staff, and for whoever opened a link. An entry names that account
 * only if it acted for another one. It has no index: a page is read by the key of the table, in the order of the sequence, and filtered.
 */
export const actingAccount = `coalesce(actor_account_id, case
  when actor_type in ('user', 'api_key') and action <> 'agent_session.link.used' then account_id end)`;

const columns = {
  ...entryColumns,
  /** Roots of the perfect subtrees of the account's Merkle tree that the entry completes: base64, smallest first. */
  subtrees: column.text,
};

const table: Table<typeof columns> = {
  name: 'audit_log',
  columns,
  key: ['account_id', 'sequence'],
  indexes: [],
  handlers: 1,
};

/**
 * One chain of entries per account, and the Merkle tree of their hashes. Rows are only inserted, so a duplicate row is a fault,
 * not a repetition.
 */
export const auditLog: Projection = {
  name: 'audit_log',
  table,
  categories: categoriesWith('audit').map(({ name }) => name),
  types: new Set(Object.keys(auditedTypes)),
  rowOf: (event) => ownerOf(event) ?? event.stream,
  open: async (client, schema, events) => chain(client, schema, await headsOf(client, schema, events)),
};

function chain(client: pg.ClientBase, schema: Schema, heads: Map<string, LogHead>): Fold {
  const entries: Positioned<RowOf<typeof columns>>[] = [];
  return {
    apply(event: RecordedEvent) {
      const account = ownerOf(event);
      if (account === undefined) return;
      const head = heads.get(account) ?? { ...emptyChain, tree: emptyFrontier() };
      const entry = auditEntryOf(event, head);
      if (entry === undefined) return;
      const subtrees = subtreesText(grow(head.tree, leafOf(entry)));
      heads.set(account, { sequence: entry.sequence, hash: entry.hash, tree: head.tree });
      entries.push({ row: { ...rowOf(entry), subtrees }, position: event.position });
    },
    write: () => writeRows(client, schema, table, 'insert', entries),
  };
}

/** The row as the API shows it, with exactly the fields covered by its hash. */
export const toEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  sequence: row.sequence,
  action: row.action,
  account_id: row.account_id,
  ...(row.actor_account_id === null ? {} : { actor_account_id: row.actor_account_id }),
  ...(row.actor_key_id === null ? {} : { actor_key_id: row.actor_key_id }),
  actor_type: row.actor_type,
  target: { type: row.target_type, id: row.target_id },
  payload: row.payload,
  ip: row.ip,
  user_agent: row.user_agent,
  request_id: row.request_id,
  created_at: row.created_at,
  prev_hash: row.prev_hash,
  hash: row.hash,
});

const rowOf = ({ target, ...entry }: AuditEntry): AuditRow => ({
  ...entry,
  actor_account_id: entry.actor_account_id ?? null,
  actor_key_id: entry.actor_key_id ?? null,
  target_type: target.type,
  target_id: target.id,
});

import type pg from 'pg';
import type { AuditEntry } from '../../contracts/resources/account.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { prefixesOf } from '../engine/projection.ts';
import { isAfter, origin } from '../../infra/event-store/client/position.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import { listParked } from '../engine/parking.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { leastAdvanced, live, outdatedIn, type OutdatedColumn } from '../engine/checkpoint.ts';
import { auditEntryOf, emptyChain, hashOf, type ChainHead } from './entry.ts';
import { auditLog } from './log.ts';
import { readAudit } from './reading.ts';

export type AuditVerdict =
  | { readonly ok: true; readonly entries: number }
  | {
      readonly ok: false;
      readonly entries: number;
      /** The first invalid entry; `id` is null if it is missing. */
      readonly entry: EntryName;
      readonly reason: string;
    };

interface Ports {
  readonly pool: pg.Pool;
  readonly store: EventStore;
}

/**
 * Compares an account's stored entries with the chain derived from the log, entry by entry. Detects a changed field, a missing,
 * added or moved entry, a truncated end, and also a rewritten chain with matching hashes.
 */
export async function verifyAudit(accountId: string, { pool, store }: Ports): Promise<AuditVerdict> {
  const { upTo, count } = await storedExtent(pool, accountId);
  const expected = expectedEntries(accountId, store, upTo);
  let previous: ChainHead = emptyChain;
  let entries = 0;
  for await (const stored of readAudit(pool, accountId, { limit: count })) {
    const next = await expected.next();
    if (next.done) return broken(entries, stored, 'the log has no event for it');
    const fault = faultOf(stored, previous, next.value);
    if (fault !== undefined) return broken(entries, fault.entry, fault.reason);
    previous = stored;
    entries += 1;
  }
  const missing = await expected.next();
  return missing.done
    ? { ok: true, entries }
    : broken(entries, gone(missing.value), 'it is missing at the end');
}

type EntryName = { readonly sequence: number; readonly id: string | null };

const gone = ({ sequence }: AuditEntry): EntryName => ({ sequence, id: null });
const broken = (entries: number, { sequence, id }: EntryName, reason: string): AuditVerdict => ({
  ok: false,
  entries,
  entry: { sequence, id },
  reason,
});

function faultOf(
  stored: AuditEntry,
  previous: ChainHead,
  expected: AuditEntry,
): { entry: EntryName; reason: string } | undefined {
  if (stored.sequence > expected.sequence) {
    return {
      entry: gone(expected),
      reason: `it is missing: entry ${stored.sequence} follows ${previous.sequence}`,
    };
  }
  const { hash, ...hashed } = stored;
  if (hashOf(hashed) !== hash)
    return { entry: stored, reason: 'a field was changed: its hash does not cover it' };
  if (stored.prev_hash !== previous.hash)
    return { entry: stored, reason: 'it does not follow the entry before it' };
  if (hash !== expected.hash)
    return { entry: stored, reason: 'it was rewritten: the log says something else' };
  return undefined;
}

/** Number of entries and their log position, in one statement, for a consistent pair. */
async function storedExtent(pool: pg.Pool, accountId: string): Promise<{ upTo: Position; count: number }> {
  const { rows } = await pool.query<PositionColumns & OutdatedColumn & { count: string }>(
    `select commit_position, prepare_position, outdated,
       (select count(*) from read_model.audit_log where account_id = $2) as count
     from runtime.checkpoints where name = $1`,
    [live.checkpoint, accountId],
  );
  const [row] = rows;
  const reached = row ? leastAdvanced([auditLog.name], fromColumns(row), outdatedIn(row)) : origin;
  const waiting = (await listParked(pool)).find(
    (parked) => parked.projection === auditLog.name && parked.row === accountId,
  );
  // Entries behind a parked event are parked with it.
  const upTo = waiting ? { ...waiting.position, prepare: waiting.position.prepare - 1n } : reached;
  return { upTo, count: Number(row?.count ?? 0) };
}

async function* expectedEntries(
  accountId: string,
  store: EventStore,
  upTo: Position,
): AsyncGenerator<AuditEntry, void, undefined> {
  let head: ChainHead = emptyChain;
  for await (const event of store.readAll({ prefixes: prefixesOf(auditLog) })) {
    if (isAfter(event.position, upTo)) return;
    if (!auditLog.types.has(event.type) || ownerOf(event) !== accountId) continue;
    const entry = auditEntryOf(event, head);
    if (entry === undefined) continue;
    yield entry;
    head = entry;
  }
}

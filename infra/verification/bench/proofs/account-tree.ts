import { createHash } from 'node:crypto';
import type pg from 'pg';
import { emptyFrontier, grow, subtreesText } from '../../../../contracts/audit/tree.ts';
import type { AccountId } from '../../../../contracts/ids.ts';
import { leafOf } from '../../../../projections/audit/tree.ts';
import { copyIn } from '../copy-in.ts';

const rowsACopy = 50_000;

/** The hash of an entry, made up. */
export const entryHash = (sequence: number): string =>
  createHash('sha256').update(String(sequence)).digest('hex');

/** An audit log of that many entries, with its tree. Only the entries' hashes are realistic. */
export async function fillAuditLog(pool: pg.Pool, account: AccountId, entries: number): Promise<void> {
  const tree = emptyFrontier();
  const client = await pool.connect();
  try {
    for (let from = 1; from <= entries; from += rowsACopy) {
      const count = Math.min(rowsACopy, entries - from + 1);
      const lines = Array.from({ length: count }, (_, index) => {
        const hash = entryHash(from + index);
        return rowOf(account, from + index, hash, subtreesText(grow(tree, leafOf({ hash }))));
      });
      await copyIn(client, copySql, Buffer.from(lines.join('')));
    }
    await client.query('vacuum analyze read_model.audit_log');
  } finally {
    client.release();
  }
}

const copySql = `copy read_model.audit_log (account_id, sequence, id, action, actor_type, target_type, target_id, payload, request_id,
  created_at, prev_hash, hash, subtrees, commit_position, prepare_position) from stdin`;

function rowOf(account: AccountId, sequence: number, hash: string, subtrees: string): string {
  const about = ['session.created', 'api_key', 'session', 'ses_1', '{}', 'req_1', '2026-01-05T12:00:00Z'];
  const values = [account, sequence, `aud_${sequence}`, ...about, entryHash(sequence - 1), hash, subtrees];
  return `${[...values, sequence, sequence].join('\t')}\n`;
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type pg from 'pg';
import type { AccountId } from '../contracts/ids.ts';
import { Refusal } from '../contracts/problems.ts';
import type { Call } from '../infra/http/index.ts';
import { auditFormats } from '../projections/audit/formats.ts';
import { exportAudit, readAudit, type AuditExport, type AuditRange } from '../projections/audit/reading.ts';
import type { SignedHeads } from './audit-signing.ts';
import type { AuditTurns } from './audit-turns.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { queryTime, type Read } from './engine/reading.ts';
import { auditedAccount } from '../projections/queries/account.ts';

interface Sources {
  readonly pool: pg.Pool;
  readonly schema?: AuditRange['schema'];
  readonly turns: AuditTurns;
}

interface Contents {
  readonly rows: number;
  readonly more: boolean;
  readonly lastSequence: number;
  readonly sha256: string;
}

/**
 * The export is read twice: for its headers, and to send it. Entries never change, so both readings give the same bytes, and
 * neither holds more than a page of them.
 */
export function auditExport(sources: Sources, read: Read, cursors: Cursors, signed: SignedHeads) {
  const route = 'audit-log.export';
  return {
    [route]: {
      run: async (call: Call<typeof route, Reader, never>) => {
        const { accountId } = call.caller;
        const { format = 'csv', limit = 10_000, cursor } = call.query;
        const [after = 0] = (cursors.decode(route, accountId, cursor) ?? []).map(Number);
        const { stale, freshness } = await read(call, auditedAccount, { accountId });

        // Read before the rows, so that they include at least the signed ones.
        const checkpoint = await checkpointOf(signed, accountId, stale);
        const range = { ...rangeOf(sources, accountId, call.query), after };
        const contents = await contentsOf(accountId, { ...range, limit, format });
        const { rows, more, sha256, lastSequence } = contents;
        const next = more ? cursors.encode(route, accountId, [String(lastSequence)]) : '';
        return {
          body: Readable.from(exportAudit(accountId, { ...range, format, limit: rows })),
          ...freshness,
          headers: {
            ...freshness.headers,
            'Content-Type': auditFormats[format].contentType,
            'Content-Disposition': `attachment; filename="audit-log.${format}"`,
            'X-Has-More': String(more),
            'X-Next-Cursor': next,
            'X-Row-Count': String(rows),
            'X-Content-Sha256': sha256,
            ...checkpoint,
          },
        };
      },
    },
  };
}

/** No header while heads are not signed; the rows are sent anyway. */
async function checkpointOf(
  signed: SignedHeads,
  accountId: AccountId,
  stale: boolean,
): Promise<Record<string, string>> {
  try {
    const { note } = await signed(accountId, stale);
    return { 'X-Checkpoint': Buffer.from(note).toString('base64') };
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** The entries that match, each page read in turn. */
function rangeOf(
  { pool, schema, turns }: Sources,
  accountId: AccountId,
  { action, actor, ...query }: Call<'audit-log.export', Reader, never>['query'],
) {
  const [since, until] = [queryTime('since', query.since), queryTime('until', query.until)];
  const filter = { action, actor, since, until };
  const inTurn: AuditRange['inTurn'] = (read) => turns(accountId, filter, read);
  return { pool, schema, ...filter, inTurn };
}

async function contentsOf(
  accountId: AccountId,
  { pool, format, limit, ...range }: AuditExport & { readonly limit: number },
): Promise<Contents> {
  const { head, line } = auditFormats[format];
  const hash = createHash('sha256').update(head);
  let rows = 0;
  let lastSequence = 0;
  for await (const entry of readAudit(pool, accountId, { ...range, limit: limit + 1 })) {
    if (rows === limit) return { rows, lastSequence, more: true, sha256: hash.digest('hex') };
    hash.update(line(entry));
    rows += 1;
    lastSequence = entry.sequence;
  }
  return { rows, lastSequence, more: false, sha256: hash.digest('hex') };
}

import type pg from 'pg';
import { consistencyProof, inclusionProof, type TreeRows } from '../contracts/audit/tree.ts';
import { invalid } from '../contracts/field-errors.ts';
import { refuse } from '../contracts/problems.ts';
import type { ConsistencyProof, InclusionProof } from '../contracts/resources/audit-proof.ts';
import { handlerWithExists, type Call } from '../infra/http/index.ts';
import { treeRowsOf } from '../projections/audit/tree.ts';
import { auditHead } from '../projections/queries/audit-head.ts';
import type { Reader } from './engine/credentials.ts';
import { behind } from './engine/fresh-reads.ts';
import { notFound, type Freshness, type Read, type ReadCall } from './engine/reading.ts';

/** An account's log. `present`: the number of its entries. */
interface Log {
  readonly present: number;
  /** True if there may be more. */
  readonly stale: boolean;
  readonly rows: TreeRows;
  readonly freshness: Freshness;
}
interface Entry extends Log {
  readonly sequence: number;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** Proofs of an account's tree. Rows never change, so only the size must be fresh. */
export function auditProofReads(pool: pg.Pool, read: Read) {
  const logOf = async (call: ReadCall): Promise<Log> => {
    const { accountId } = call.caller;
    const { rows, stale, freshness } = await read(call, auditHead, { accountId });
    return { present: rows[0]?.sequence ?? 0, stale, rows: treeRowsOf(pool, accountId), freshness };
  };
  return {
    'audit-log.proof': handlerWithExists<'audit-log.proof', Reader, Entry>({
      exists: async (caller, params, request) => {
        const log = await logOf({ caller, request });
        return { ...log, sequence: sequenceOf(params.sequence, log) };
      },
      run: async ({ query, found }) => {
        const { present, stale, rows, freshness, sequence } = found;
        const { size = present } = query;
        assertWithin('size', size, { least: sequence, present, stale });
        return { body: await inclusionBody(rows, sequence, size), ...freshness };
      },
    }),
    'audit-log.consistency': {
      run: async (call: Call<'audit-log.consistency', Reader, never>) => {
        const { present, stale, rows, freshness } = await logOf(call);
        const { from, to = present } = call.query;
        assertWithin('to', to, { least: 1, present, stale });
        assertWithin('from', from, { least: 1, present: to, stale: stale && call.query.to === undefined });
        return { body: await consistencyBody(rows, from, to), ...freshness };
      },
    },
  };
}

async function inclusionBody(rows: TreeRows, sequence: number, size: number): Promise<InclusionProof> {
  const { leaf, root, path } = await inclusionProof(rows, sequence - 1, size);
  return {
    ...{ sequence, leaf_index: sequence - 1, leaf_hash: base64(leaf), size },
    ...{ root: base64(root), proof: path.map(base64) },
  };
}

async function consistencyBody(rows: TreeRows, from: number, to: number): Promise<ConsistencyProof> {
  const { fromRoot, root, path } = await consistencyProof(rows, from, to);
  return { from, to, from_root: base64(fromRoot), to_root: base64(root), proof: path.map(base64) };
}

/** An invalid sequence is refused like an unknown one. */
function sequenceOf(text: string, { present, stale }: Pick<Log, 'present' | 'stale'>): number {
  const sequence = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (sequence < 1) throw refuse('not-found');
  if (sequence > present) throw notFound(stale);
  return sequence;
}

function assertWithin(
  field: string,
  size: number,
  { least, present, stale }: { readonly least: number } & Pick<Log, 'present' | 'stale'>,
): void {
  if (size >= least && size <= present) return;
  if (stale && Math.max(size, least) > present) throw behind();
  const message = size < least ? `must be at least ${least}` : `must be at most ${present}`;
  throw invalid({ path: `/query/${field}`, code: 'range', message });
}

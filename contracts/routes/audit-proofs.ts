import * as audit from '../resources/audit-proof.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { area, ok } from './rows.ts';

const { read } = area({ tag: 'Account', reads: ['read', 'account_owner'], writes: [] });

/** Proofs of the audit log's contents and history: `docs/audit.md`. */
export const auditProofRoutes = [
  read('GET /v1/account/audit-log/{sequence}/proof', 'audit-log.proof', {
    summary: 'Prove that an entry is in the audit log',
    params: { sequence: Type.String({ description: 'The `sequence` of the entry.' }) },
    query: audit.ProofQuery,
    success: ok(audit.InclusionProof, 'The proof for the log at that size; by default at its current size.'),
    problems: ['not-found'],
  }),
  read('GET /v1/account/audit-log/consistency', 'audit-log.consistency', {
    summary: 'Prove that the audit log at one size extends the log at a smaller size',
    query: audit.ConsistencyQuery,
    success: ok(audit.ConsistencyProof, 'The proof; `to` is by default the current size.'),
    problems: [],
  }),
  read('GET /v1/account/audit-log/checkpoint', 'audit-log.checkpoint', {
    summary: 'The signed head of the audit log, to keep for later checks',
    success: ok(audit.AuditCheckpoint, 'The head and the note that signs it.'),
    problems: ['not-found', 'feature-unavailable'],
  }),
  read('GET /.well-known/audit-log/keys', 'audit-log.keys', {
    summary: 'The keys that sign heads of audit logs',
    scopes: null,
    bucket: 'public-tree:read',
    accountHeader: 'ignored',
    success: ok(audit.AuditKeys, 'All keys, former ones included.'),
    problems: [],
  }),
] as const satisfies readonly Route[];

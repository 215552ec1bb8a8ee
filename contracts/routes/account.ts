import { Type } from '../schema.ts';
import type { Route } from '../route.ts';
import * as account from '../resources/account.ts';
import { readsOf } from './defaults.ts';
import { ListQuery, page } from './paging.ts';

const reads = readsOf('Account', ['read', 'account_owner']);

export const accountRoutes = [
  {
    ...reads,
    id: 'account.me',
    method: 'GET',
    path: '/v1/account/me',
    summary: "The caller's own account",
    accountHeader: 'ignored',
    success: { status: 200, body: account.Account, description: 'The account.' },
    problems: [],
  },
  {
    ...reads,
    id: 'audit-log.list',
    method: 'GET',
    path: '/v1/account/audit-log',
    summary: 'The audit log, newest first',
    query: { ...ListQuery, ...account.AuditFilter },
    success: { status: 200, body: page(account.AuditEntry), description: 'A page of entries.' },
    problems: ['bad-request'],
  },
  {
    ...reads,
    id: 'audit-log.export',
    method: 'GET',
    path: '/v1/account/audit-log/export',
    summary: 'Export the audit log as CSV or JSON lines, oldest first',
    bucket: 'audit:export',
    query: account.AuditExportQuery,
    success: {
      status: 200,
      body: Type.String(),
      contentType: 'text/csv, application/x-ndjson',
      description: 'The rows.',
      headers: {
        'X-Has-More': '`true` when rows follow these.',
        'X-Next-Cursor': 'Pass back as `cursor` for the rows that follow; empty when there are none.',
        'X-Row-Count': 'Rows in this answer.',
        'X-Content-Sha256': 'SHA-256 of the body, hex.',
      },
    },
    problems: ['bad-request'],
  },
] as const satisfies readonly Route[];

import { Type, page } from '../schema.ts';
import type { Route } from '../route.ts';
import * as account from '../resources/account.ts';
import { AccountLimits } from '../resources/account-limits.ts';
import { UsedDeprecations } from '../resources/deprecation.ts';
import { RequestTree } from '../resources/request.ts';
import * as usage from '../resources/usage.ts';
import { ListQuery, area, ok } from './rows.ts';

const { read } = area({ tag: 'Account', reads: ['read', 'account_owner'], writes: [] });

const usageColumns = {
  summary: 'Usage of the account in this calendar month',
  success: ok(usage.Usage, 'The month up to now.'),
  problems: [],
} as const;
const seriesColumns = {
  summary: 'Usage of the account by hour or by day',
  query: usage.UsageSeriesQuery,
  success: ok(usage.UsageSeries, 'One point per hour or day, oldest first.'),
  problems: [],
} as const;

export const accountRoutes = [
  read('GET /v1/account/me', 'account.me', {
    summary: "The caller's own account",
    accountHeader: 'ignored',
    ungated: ['suspension', 'terms'],
    success: ok(account.Account, 'The account.'),
    problems: [],
  }),
  read('GET /v1/account/audit-log', 'audit-log.list', {
    summary: 'The audit log, newest first',
    query: { ...ListQuery, ...account.AuditFilter },
    success: ok(
      page(account.AuditEntry, { names: account.TargetNames }),
      'A page of entries, with the current names of their targets.',
    ),
    problems: ['bad-request'],
  }),
  read('GET /v1/account/audit-log/export', 'audit-log.export', {
    summary: 'Export the audit log as CSV or JSON lines, oldest first',
    bucket: 'audit:export',
    query: account.AuditExportQuery,
    success: {
      ...ok(Type.String(), 'The rows.'),
      contentType: 'text/csv, application/x-ndjson',
      headers: {
        'X-Has-More': '`true` when rows follow these.',
        'X-Next-Cursor': 'Send it as `cursor` to get the next rows; empty if there are none.',
        'X-Row-Count': 'Rows in this answer.',
        'X-Content-Sha256': 'SHA-256 of the body, hex.',
        'X-Checkpoint':
          'Base64 of the signed note of the head of the log; absent while heads are not signed.',
      },
    },
    problems: ['bad-request'],
  }),
  read('GET /v1/requests/{request_id}', 'requests.get', {
    summary: 'Trace a request: its events and their effects, webhooks and mails',
    role: 'admin',
    params: {
      request_id: Type.String({
        description: 'The `X-Request-Id` of an answer: `req_<uuid>`, or what the caller sent',
      }),
    },
    success: ok(RequestTree, 'The request and its effects.'),
    problems: ['not-found'],
  }),
  read('GET /v1/account/rate-limits', 'account.rate-limits', {
    summary: 'Rate limits and quotas of the account, and what is left of them',
    accountHeader: 'ignored',
    success: ok(AccountLimits, 'Every rate bucket and every quota.'),
    problems: [],
  }),
  read('GET /v1/account/deprecations', 'account.deprecations', {
    summary: 'Deprecated routes and fields that the account still uses, earliest removal first',
    accountHeader: 'ignored',
    success: ok(UsedDeprecations, 'Uses per day since each deprecation was announced.'),
    problems: [],
  }),
  read('GET /v1/usage', 'usage.get', usageColumns),
  read('GET /v1/account/usage', 'account.usage', { ...usageColumns, summary: 'The same as `GET /v1/usage`' }),
  read('GET /v1/usage/series', 'usage.series', seriesColumns),
  read('GET /v1/account/usage/series', 'account.usage-series', {
    ...seriesColumns,
    summary: 'The same as `GET /v1/usage/series`',
  }),
] as const satisfies readonly Route[];

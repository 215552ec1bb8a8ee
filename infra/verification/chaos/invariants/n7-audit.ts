import { hashOf } from '../../../../projections/audit/entry.ts';
import { toEntry, type AuditRow } from '../../../../projections/audit/log.ts';
import { field, grouped, type Evidence, type LogEvent, type Row } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';
import { isEnd } from './n1-acknowledged.ts';

/** Audit actions of an acknowledged mutation. An operation has one for its kind. */
const audited: Readonly<Record<string, RegExp>> = {
  create: /^session\.created$/,
  launch: /^session\.created$/,
  'create-profile': /^profile\.created$/,
  operate: /^session\.(navigated|interacted|waited|state_read|captured|extracted|logged_in)$/,
  'create-link': /^agent_session\.link\.created$/,
  'open-link': /^agent_session\.link\.used$/,
  'revoke-link': /^agent_session\.link\.revoked$/,
  'create-key': /^api_key\.created$/,
  'rotate-key': /^api_key\.rotated$/,
  'register-webhook': /^webhook\.created$/,
  'change-webhook': /^webhook\.updated$/,
  'rotate-secret': /^webhook\.secret_rotated$/,
  'test-webhook': /^webhook_delivery\.replayed$/,
  'replay-delivery': /^webhook_delivery\.replayed$/,
  'replay-range': /^webhook_delivery\.replayed$/,
  suspend: /^account\.suspended$/,
  unsuspend: /^account\.unsuspended$/,
  'verify-email': /^auth\.email_verified$/,
  'sign-in': /^auth\.signed_in$/,
  'use-magic-link': /^auth\.signed_in$/,
  'reset-password': /^auth\.password_reset$/,
  invite: /^team\.invited$/,
  'accept-invitation': /^team\.member_joined$/,
  'withdraw-invitation': /^team\.invitation_withdrawn$/,
  'remove-member': /^team\.member_removed$/,
  'open-checkout': /^billing\.(checkout|portal)_opened$/,
  'open-portal': /^billing\.portal_opened$/,
  'cancel-order': /^billing\.order_cancelled$/,
};

export const auditIsWhole: Invariant = {
  id: 'N7',
  holds:
    'Every acknowledged mutation, and every endpoint that was disabled, has one audit row, and each account’s chain is unbroken.',
  judged: 'the raw audit table, by request id and hash by hash',
  violations: ({ history, log, tables }) => {
    const causes = new Set(log.map(({ requestId }) => requestId));
    return [
      ...entriesOfChanges({ history, tables }).flatMap(({ change: { id, action }, entries }) => {
        // If an end was requested twice, the audit log names the request that made the event.
        if (entries.length === 1 || (isEnd(action) && !causes.has(id))) return [];
        return [{ what: `an acknowledged ${action} has ${entries.length} audit rows`, requests: [id] }];
      }),
      ...log
        .filter(({ type }) => type === 'WebhookDisabled')
        .flatMap((event) => disabling(event, tables.auditLog)),
      ...[...grouped(tables.auditLog, (row) => String(row.account_id))].flatMap(([account, chain]) =>
        brokenLinks(account, chain),
      ),
    ];
  },
};

/** Each acknowledged change that is audited, with its rows in the audit log. */
export function entriesOfChanges({ history, tables }: Pick<Evidence, 'history' | 'tables'>) {
  const rows = grouped(tables.auditLog, (row) => String(row.request_id));
  return history.flatMap((change) => {
    const { id, action, answer } = change;
    const pattern = audited[action];
    if (pattern === undefined || answer.kind !== 'done') return [];
    if (answer.headers['idempotency-replayed'] === 'true') return [];
    return [{ change, entries: rows.get(id)?.filter((row) => pattern.test(String(row.action))) ?? [] }];
  });
}

/** Endpoints that the service disabled without a request. */
function disabling(event: LogEvent, rows: readonly Row[]): Violation[] {
  const id = field(event, 'webhookId');
  const found = rows.filter(({ action, target_id }) => action === 'webhook.disabled' && target_id === id);
  if (found.length === 1) return [];
  return [{ what: `${id} was disabled and has ${found.length} audit rows of it`, stream: event.stream }];
}

function brokenLinks(account: string, rows: readonly Row[]): Violation[] {
  const chain = rows.map((row) => toEntry(row as AuditRow)).sort((a, b) => a.sequence - b.sequence);
  return chain.flatMap((entry, index) => {
    const { hash, ...hashed } = entry;
    const before = chain[index - 1]?.hash ?? '0'.repeat(64);
    const holds = entry.sequence === index + 1 && entry.prev_hash === before && hashOf(hashed) === hash;
    return holds ? [] : [{ what: `the audit chain of ${account} is broken at entry ${entry.sequence}` }];
  });
}

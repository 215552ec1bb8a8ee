import { sessionEvents } from '../../contracts/events/session.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalJsonOf, textOf } from '../engine/table.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { EgressCapabilities } from '../../contracts/operations.ts';
import type { SessionStatus } from '../../contracts/resources/session.ts';

const moved = <Row>(row: Row, status: SessionStatus, at: string) => ({ ...row, status, updated_at: at });
const ended = <Row>(row: Row, status: 'errored' | 'destroyed', reason: string, at: string) => ({
  ...moved(row, status, at),
  destroyed_at: at,
  ended_reason: reason,
});

/** Every session of every account; `node_id` is for the processes and never shown. */
export const sessions = readModel('sessions', {
  of: sessionEvents,
  id: 'session',
  columns: {
    id: textOf<SessionId>(),
    account_id: textOf<AccountId>(),
    archetype: column.text,
    status: textOf<SessionStatus>(),
    label: column.optionalText,
    metadata: jsonOf<Record<string, unknown>>(),
    profile_id: column.optionalText,
    node_id: column.optionalText,
    created_at: column.time,
    updated_at: column.time,
    ready_at: column.optionalTime,
    destroyed_at: column.optionalTime,
    ended_reason: column.optionalText,
    expires_at: column.optionalTime,
    egress_capabilities: optionalJsonOf<EgressCapabilities>(),
  },
  indexes: [
    '(account_id, created_at desc, id desc)',
    "(node_id) where status in ('creating', 'ready', 'busy')",
  ],
  handlers: 1,
  creates: {
    SessionRequested: ({ data }) => ({
      id: data.sessionId,
      account_id: data.accountId,
      archetype: data.archetype,
      status: 'creating' as const,
      label: data.label,
      metadata: data.metadata,
      profile_id: null,
      node_id: data.nodeId,
      created_at: data.at,
      updated_at: data.at,
      ready_at: null,
      destroyed_at: null,
      ended_reason: null,
      expires_at: data.expiresAt,
      egress_capabilities: null,
    }),
  },
  changes: {
    SessionReady: (row, { data: { at } }) => ({ ...moved(row, 'ready', at), ready_at: at }),
    OperationClaimed: (row, { data: { at } }) => moved(row, 'busy', at),
    OperationSettled: (row, { data: { at } }) => moved(row, 'ready', at),
    SessionErrored: (row, { data: { at, reason } }) => ended(row, 'errored', reason, at),
    SessionDestroyed: (row, { data: { at, cause } }) => ended(row, 'destroyed', cause, at),
    EgressCapabilitiesReported: (row, { data: { at, capabilities } }) => ({
      ...row,
      egress_capabilities: capabilities,
      updated_at: at,
    }),
  },
});

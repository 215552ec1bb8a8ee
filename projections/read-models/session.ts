import { sessionEvents } from '../../contracts/events/session.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalJsonOf, textOf } from '../engine/table.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { EgressCapabilities } from '../../contracts/operations.ts';
import type { SessionStatus } from '../../contracts/resources/session.ts';

const moved = (status: SessionStatus, at: string) => ({ status, updated_at: at });
const ended = (status: 'errored' | 'destroyed', reason: string, at: string) => ({
  ...moved(status, at),
  destroyed_at: at,
  ended_reason: reason,
});

/** Every session; `node_id` is internal and never shown. */
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
    /** In milliseconds. */
    idle_timeout: column.optionalInteger,
    egress_capabilities: optionalJsonOf<EgressCapabilities>(),
  },
  indexes: [
    '(account_id, created_at desc, id desc)',
    "(node_id) where status in ('creating', 'ready', 'busy')",
  ],
  handlers: 2,
  creates: {
    SessionRequested: ({ data }) => ({
      id: data.sessionId,
      account_id: data.accountId,
      archetype: data.archetype,
      status: 'creating' as const,
      label: data.label,
      metadata: data.metadata,
      profile_id: data.profileId,
      node_id: data.nodeId,
      created_at: data.at,
      updated_at: data.at,
      ready_at: null,
      destroyed_at: null,
      ended_reason: null,
      expires_at: data.expiresAt,
      idle_timeout: data.idle?.timeoutMs ?? null,
      egress_capabilities: null,
    }),
  },
  changes: {
    SessionReady: ({ data: { at } }) => ({ ...moved('ready', at), ready_at: at }),
    OperationClaimed: ({ data: { at } }) => moved('busy', at),
    OperationSettled: ({ data: { at } }) => moved('ready', at),
    DurationCapLifted: () => ({ expires_at: null }),
    SessionErrored: ({ data: { at, reason } }) => ended('errored', reason, at),
    SessionDestroyed: ({ data: { at, cause } }) => ended('destroyed', cause, at),
    EgressCapabilitiesReported: ({ data: { at, capabilities } }) => ({
      egress_capabilities: capabilities,
      updated_at: at,
    }),
  },
});

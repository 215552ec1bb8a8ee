import { sessionEvents } from '../contracts/events/session.ts';
import { readModel } from './read-model.ts';
import { column } from './table.ts';

/** Every session of every account; `node_id` is for the processes and never shown. */
export const sessions = readModel('sessions', {
  of: sessionEvents,
  id: 'session',
  columns: {
    id: column.text,
    account_id: column.text,
    archetype: column.text,
    status: column.text,
    label: column.optionalText,
    metadata: column.json,
    profile_id: column.optionalText,
    node_id: column.optionalText,
    created_at: column.time,
    updated_at: column.time,
    ready_at: column.optionalTime,
    destroyed_at: column.optionalTime,
    ended_reason: column.optionalText,
    expires_at: column.optionalTime,
    egress_capabilities: column.optionalJson,
  },
  indexes: [
    '(account_id, created_at desc, id desc)',
    "(node_id) where status in ('creating', 'ready', 'busy')",
  ],
  creates: {
    SessionRequested: ({ data }) => ({
      id: data.sessionId,
      account_id: data.accountId,
      archetype: data.archetype,
      status: 'creating',
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
    SessionReady: (row, { data: { at } }) => ({ ...row, status: 'ready', ready_at: at, updated_at: at }),
    OperationClaimed: (row, { data: { at } }) => ({ ...row, status: 'busy', updated_at: at }),
    OperationSettled: (row, { data: { at } }) => ({ ...row, status: 'ready', updated_at: at }),
    SessionErrored: (row, { data: { at, reason } }) => ({
      ...row,
      status: 'errored',
      destroyed_at: at,
      ended_reason: reason,
      updated_at: at,
    }),
    SessionDestroyed: (row, { data: { at, cause } }) => ({
      ...row,
      status: 'destroyed',
      destroyed_at: at,
      ended_reason: cause,
      updated_at: at,
    }),
    EgressCapabilitiesReported: (row, { data: { at, capabilities } }) => ({
      ...row,
      egress_capabilities: capabilities,
      updated_at: at,
    }),
  },
});

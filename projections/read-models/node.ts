import { nodeEvents } from '../../contracts/events/node.ts';
import { readModel } from '../engine/read-model.ts';
import { column } from '../engine/table.ts';

/** Admitted machines. Whether one is alive is ephemeral data, and not in here. */
export const nodes = readModel('nodes', {
  of: nodeEvents,
  id: 'node',
  columns: {
    id: column.text,
    name: column.text,
    credential_hash: column.text,
    draining: column.boolean,
    created_at: column.time,
    updated_at: column.time,
    revoked_at: column.optionalTime,
  },
  handlers: 1,
  creates: {
    NodeRegistered: ({ data }) => ({
      id: data.nodeId,
      name: data.name,
      credential_hash: data.credentialHash,
      draining: false,
      created_at: data.at,
      updated_at: data.at,
      revoked_at: null,
    }),
  },
  changes: {
    NodeDrained: ({ data: { at } }) => ({ draining: true, updated_at: at }),
    NodeUndrained: ({ data: { at } }) => ({ draining: false, updated_at: at }),
    NodeRevoked: ({ data: { at } }) => ({ revoked_at: at, updated_at: at }),
  },
});

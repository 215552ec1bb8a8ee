import { Type, Timestamp, closed } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

const nodeId = idSchema('node');

/** `node-<uuid>`: a machine that runs browsers, admitted with its own credential. Load and heartbeats are not events. */
export const nodeEvents = category('node', {
  NodeRegistered: closed({ nodeId, name: Type.String(), credentialHash: Type.String(), at: Timestamp }),
  NodeDrained: closed({ nodeId, at: Timestamp }),
  NodeUndrained: closed({ nodeId, at: Timestamp }),
  NodeRevoked: closed({ nodeId, at: Timestamp }),
});
export type NodeEvent = EventOf<typeof nodeEvents>;

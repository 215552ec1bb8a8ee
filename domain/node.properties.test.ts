import fc from 'fast-check';
import type { NodeEvent } from '../contracts/events/node.ts';
import { idOf, text, time } from './testing/arbitraries.ts';
import { deciderProperties } from './testing/decider-properties.ts';
import { node, type Node, type NodeCommand } from './node.ts';

const command: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({
    type: fc.constant('RegisterNode' as const),
    nodeId: idOf('node', 1),
    name: text,
    credentialHash: fc.constantFrom('own', 'another'),
    at: time,
  }),
  fc.record({
    type: fc.constantFrom('DrainNode' as const, 'UndrainNode' as const, 'RevokeNode' as const),
    at: time,
  }),
);

describe('a node under any sequence of commands', () => {
  const properties = deciderProperties<Node, NodeCommand, NodeEvent, Node['status']>({
    decider: node,
    command,
    statusOf: ({ status }) => status,
    transitions: [
      ['none', 'NodeRegistered', 'active'],
      ['active', 'NodeDrained', 'draining'],
      ['active', 'NodeRevoked', 'revoked'],
      ['draining', 'NodeUndrained', 'active'],
      ['draining', 'NodeRevoked', 'revoked'],
    ],
  });
  for (const [sentence, check] of Object.entries(properties)) it(sentence, check);
});

import fc from 'fast-check';
import { idOf, text, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { node, type NodeCommand } from './node.ts';

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

describeDecider('a node under any sequence of commands', {
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

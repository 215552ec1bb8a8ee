import type { NodeEvent } from '../contracts/events/node.ts';
import { toId } from '../contracts/ids.ts';
import { deciderSpec, eventBuilders } from './testing/index.ts';
import { node } from './node.ts';

const nodeId = toId('node', '0197f1a0-0000-7000-8000-000000000003');
const at = '2026-01-05T12:00:00.000Z';
const registered = { nodeId, name: 'one', credentialHash: 'hash', at };
const { NodeRegistered, NodeDrained, NodeUndrained, NodeRevoked } = eventBuilders<NodeEvent>({
  NodeRegistered: registered,
  NodeDrained: { nodeId, at },
  NodeUndrained: { nodeId, at },
  NodeRevoked: { nodeId, at },
});
const { given } = deciderSpec(node);

describe('a node', () => {
  it('registers once, and later again as the same node', () => {
    given()
      .when({ type: 'RegisterNode', ...registered })
      .then(NodeRegistered());
    given(NodeRegistered())
      .when({ type: 'RegisterNode', ...registered })
      .nothing();
  });
  it('cannot be taken over with another secret', () => {
    given(NodeRegistered())
      .when({ type: 'RegisterNode', ...registered, credentialHash: 'other' })
      .refused('invalid-key');
  });
  it('drains and returns to service, each once', () => {
    given(NodeRegistered()).when({ type: 'DrainNode', at }).then(NodeDrained());
    given(NodeRegistered(), NodeDrained()).when({ type: 'DrainNode', at }).nothing();
    given(NodeRegistered(), NodeDrained()).when({ type: 'UndrainNode', at }).then(NodeUndrained());
    given(NodeRegistered()).when({ type: 'UndrainNode', at }).nothing();
  });
  it('never returns to service once revoked', () => {
    const gone = [NodeRegistered(), NodeRevoked()];
    given(NodeRegistered()).when({ type: 'RevokeNode', at }).then(NodeRevoked());
    given(...gone)
      .when({ type: 'RevokeNode', at })
      .nothing();
    given(...gone)
      .when({ type: 'RegisterNode', ...registered })
      .refused('revoked-key');
    given(...gone)
      .when({ type: 'DrainNode', at })
      .refused('revoked-key');
  });
  it('is not found before it registered', () => {
    given().when({ type: 'DrainNode', at }).refused('not-found');
    given().when({ type: 'RevokeNode', at }).refused('not-found');
  });
});

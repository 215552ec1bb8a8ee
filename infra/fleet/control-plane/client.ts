import type { Logger } from 'pino';
import {
  CreateOutcome,
  OperationOutcome,
  nodeRoutes,
  tenantHeader,
} from '../../../contracts/fleet/protocol.ts';
import type { AccountId, NodeId, SessionId } from '../../../contracts/ids.ts';
import { keyedDigest, type Peppers } from '../../keys/index.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { steadyClock } from '../../platform/clock.ts';
import { firstSignal } from '../../platform/first-signal.ts';
import { withDeadline } from '../../platform/timeout.ts';
import { Placements } from './placement.ts';
import { NodeNotCalled, NodeSilent, type Fleet, type LiveFleet } from './port.ts';
import { Silence } from './silence.ts';
import { createLiveCalls } from './live.ts';
import { connector, recentAddresses, rememberedAddresses, type Reach } from './node-call.ts';
import type { NodeRegistry } from './registry.ts';
import { shape, type Shape } from '../shape.ts';
import { createNodeAgent, type NodeTunnels } from '../tunnel/node-agent.ts';

export interface FleetOptions {
  readonly registry: Pick<NodeRegistry, 'list' | 'address' | 'listeningForMs'>;
  readonly logger: Logger;
  /** The newest keys the marks of accounts. */
  readonly peppers: Pick<Peppers, 'newest'>;
  /** Milliseconds without a heartbeat after which a node gets no new sessions. */
  readonly liveMs?: number;
  /** Milliseconds between two heartbeats of a node. */
  readonly heartbeatMs?: number;
  readonly tls?: InternalTls | undefined;
  /** Tunnels to nodes that cannot be called directly. */
  readonly tunnels?: NodeTunnels | undefined;
}

export interface Standing {
  /** Whether there is a live node that is not draining, full or not. Reserves nothing. */
  takesSessions(): Promise<boolean>;
  close(): Promise<void>;
}

/** Timeout of a destroy in milliseconds, after which the node counts as unreachable. */
const destroyMs = 15_000;
/** Open connections to each node: an operation holds one while it runs. Each call has its own timeout. */
const limits = { connections: 256, headersTimeout: 0, bodyTimeout: 0 } as const;

const createOutcome = shape(CreateOutcome);
const operationOutcome = shape(OperationOutcome);

interface Call {
  readonly session: SessionId;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  /** Aborts the wait for an answer. */
  readonly signal?: AbortSignal;
}

interface Dispatch<T> extends Call {
  readonly expected: Shape<T>;
}

/** The control plane's client of the fleet, over the fleet protocol. */
export function createFleet(options: FleetOptions): Fleet & LiveFleet & Standing {
  const { registry, logger, peppers, tls, tunnels } = options;
  const agent = createNodeAgent({ tls, tunnels, ...limits });
  const placements = new Placements(steadyClock);
  const addressOf = rememberedAddresses(registry);
  const reach = connector(addressOf, agent);
  const reachRunning = connector(recentAddresses(addressOf), agent);
  const call = caller(reach);
  const dispatched = dispatcher(call);
  const silence = new Silence({ ...options, clock: steadyClock, reach });

  return {
    takesSessions: async () => (await silence.live()).some(({ draining }) => !draining),
    place: () => place(placements, silence),
    create: async (node, dispatch, { account, deadlineMs }) => {
      const session = dispatch.session_id;
      placements.started(node, session);
      const { signal, stop } = silence.watch(node);
      try {
        const asked = { session, body: dispatch, expected: createOutcome, deadlineMs, signal };
        const outcome = await dispatched(node, nodeRoutes.create, { ...asked, ...marked(account, peppers) });
        if (outcome.outcome === 'failed') placements.gone(node, session);
        return outcome;
      } finally {
        stop();
        placements.settled(node, session);
      }
    },
    operate: operator(reachRunning),
    destroy: async (node, session) => {
      try {
        await call(node, nodeRoutes.destroy, { session, deadlineMs: destroyMs });
        // Not before: a browser takes room on the node until it has exited, even if it had not started yet.
        placements.gone(node, session);
      } catch (error) {
        logger.warn({ err: error, node_id: node, session_id: session }, 'A node did not end a session.');
      }
    },
    ...createLiveCalls(reachRunning),
    close: () => agent.close(),
  };
}

/** A node that does not answer is tried last until its next heartbeat, because it may only have been slow. */
async function place(placements: Placements, silence: Silence): Promise<NodeId | undefined> {
  for (;;) {
    const askedAt = steadyClock.now();
    const rows = await silence.live();
    const speaking = rows.filter((row) => !silence.isSilent(row));
    const chosen = placements.choose(speaking, askedAt);
    const row = speaking.find(({ nodeId }) => nodeId === chosen);
    if (row === undefined) return placements.choose(rows, askedAt);
    if (await silence.answers(row)) return chosen;
    placements.withdraw(row.nodeId);
  }
}

/** Nodes know an account only by its mark. */
const marked = (account: AccountId, { newest }: Pick<Peppers, 'newest'>): Pick<Call, 'headers'> => ({
  headers: { [tenantHeader]: keyedDigest(`tenant ${account}`, newest) },
});

/** A call whose answer must be an outcome. */
const dispatcher =
  (call: ReturnType<typeof caller>) =>
  async <T>(node: NodeId, route: string, dispatch: Dispatch<T>): Promise<T> => {
    const { expected, ...asked } = dispatch;
    const outcome = await call(node, route, asked);
    if (!expected.is(outcome)) throw new NodeSilent(`${node} gave no outcome.`);
    return outcome;
  };

const operator = (reach: Reach): Fleet['operate'] => {
  const dispatched = dispatcher(caller(reach));
  return (node, session, body, deadlineMs) =>
    dispatched(node, nodeRoutes.operate, { session, body, expected: operationOutcome, deadlineMs });
};

/** One call of a node, and its answer as JSON. After any failure but `NodeNotCalled` it is unknown whether the node ran it. */
const caller =
  (reach: Reach) =>
  async (node: NodeId, route: string, { session, body, headers, deadlineMs, signal }: Call) => {
    try {
      const text = await withDeadline(deadlineMs, async (late) => {
        const reply = await reach(node, route, session, {
          headers: { 'content-type': 'application/json', ...headers },
          body: body === undefined ? null : JSON.stringify(body),
          signal: firstSignal(late, ...(signal ? [signal] : [])),
        });
        return reply.body.text();
      });
      const answer: unknown = text === '' ? undefined : JSON.parse(text);
      return answer;
    } catch (error) {
      if (error instanceof NodeNotCalled) throw error;
      throw new NodeSilent(`${node} did not answer ${route}.`, { cause: error });
    }
  };

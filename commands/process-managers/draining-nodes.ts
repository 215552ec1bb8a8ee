import type { Logger } from 'pino';
import { uuidOf, type AccountId, type AgentSessionId, type NodeId } from '../../contracts/ids.ts';
import { isDrainNews, type Browser } from '../../domain/agent-session/browser.ts';
import { after } from '../../domain/kit/time.ts';
import { node } from '../../domain/node.ts';
import type { AgentSessionUpkeep } from '../agent-session/index.ts';
import { now, systemContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { Sweep } from './engine/host.ts';

/** A node's heartbeat, `ageMs` milliseconds old. */
export interface LastStatus {
  readonly nodeId: NodeId;
  readonly draining: boolean;
  readonly ageMs: number;
  /** Milliseconds until it ends its browsers at the latest; null unless it is being stopped and has said when. */
  readonly leavesInMs?: number | null;
}

/** An agent session with its browser. */
export interface Holder {
  readonly agentSessionId: AgentSessionId;
  readonly accountId: AccountId;
  readonly browser: Browser;
}

export interface DrainingNodePorts extends CommandPorts {
  /** The last heartbeats. */
  readonly registry: { list(): Promise<readonly LastStatus[]> };
  /** Open agent sessions with a driver session on the node, from the read models. */
  readonly holdersOn: (node: NodeId) => Promise<readonly Holder[]>;
  readonly agentSessions: Pick<AgentSessionUpkeep, 'announceDrain'>;
  readonly logger: Logger;
  /** A node whose heartbeat is older than this, in milliseconds, is no longer draining, but gone. */
  readonly liveMs: number;
  readonly everyMs: number;
}

/** Concurrency over agent sessions. */
const atOnce = 8;

/**
 * Announces to agent sessions that the node of their browser drains. Whether it was announced is in their streams, so the next sweep, also
 * of another process, makes up for whatever a crash, an outage or an outdated read model left out. While no node drains, it reads only
 * the last heartbeats.
 */
export const drainingNodesSweep = (ports: DrainingNodePorts): Sweep => ({
  name: 'draining nodes',
  everyMs: ports.everyMs,
  run: async (term) => {
    const nodes = await ports.registry.list();
    for (const each of nodes.filter(({ draining, ageMs }) => draining && ageMs < ports.liveMs))
      await announceOn(ports, each, term);
  },
});

async function announceOn(
  ports: DrainingNodePorts,
  { nodeId, leavesInMs = null }: LastStatus,
  term: AbortSignal,
): Promise<void> {
  const endsBy = leavesInMs === null ? null : after(now(ports), leavesInMs);
  const untold = (await ports.holdersOn(nodeId)).filter(({ browser }) => isDrainNews(browser, endsBy));
  if (untold.length === 0 || (endsBy === null && !(await isDrained(ports, nodeId)))) return;
  await inBatches(untold, atOnce, (holder) => announce(ports, holder, endsBy), term);
}

/** Whether the operator drains it. After an undrain, the node's next two heartbeats still say so. */
async function isDrained({ runner }: DrainingNodePorts, nodeId: NodeId): Promise<boolean> {
  return (await runner.load(node, uuidOf(nodeId))).state.status === 'draining';
}

async function announce(
  { agentSessions, logger }: DrainingNodePorts,
  { agentSessionId, accountId, browser: { sessionId } }: Holder,
  endsBy: string | null,
): Promise<void> {
  const subject = `drain ${agentSessionId} ${sessionId}${endsBy === null ? '' : ' with its end'}`;
  const context = systemContext(subject, 'timer:draining-nodes');
  await agentSessions
    .announceDrain({ agentSessionId, accountId, sessionId, endsBy }, context)
    .catch((error: unknown) => {
      const about = { err: error, agent_session: agentSessionId };
      logger.warn(
        about,
        'The drain of a node was not announced to an agent session; the next sweep does it.',
      );
    });
}

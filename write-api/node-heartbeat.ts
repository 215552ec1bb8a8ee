import { createExpiringCache } from '../infra/platform/expiring-cache.ts';
import type { NodeCommands, NodeStanding } from '../commands/node/index.ts';
import type { SessionCommands } from '../commands/session/index.ts';
import type { FleetIngressOptions } from '../infra/fleet/control-plane/ingress.ts';

/** Believed that long without a look at the record, milliseconds. */
const maxAgeMs = 10_000;

/**
 * What calls of nodes are answered from. It is believed for a while and given out while it is read again: so nodes are
 * heard, and keep their sessions, while the record is away, and the heartbeats of a large fleet do not read it over and
 * over. A node that was drained or revoked is told at its next call after the news. An orphaned browser may live on for
 * as long as its session is believed; the end of a session has its node told at once, and this only finds what missed that.
 */
export function answerHeartbeats(
  nodes: NodeCommands,
  sessions: SessionCommands,
): Pick<FleetIngressOptions, 'nodes' | 'sessionsToDestroy'> & { changed(stream: string): void } {
  const standings = createExpiringCache<NodeStanding>({ maxAgeMs, oldWhileReading: true });
  const orphans = createExpiringCache<boolean>({ maxAgeMs, oldWhileReading: true, entries: 100_000 });
  return {
    nodes: {
      register: async (registration) => {
        await nodes.register(registration);
        standings.clear();
      },
      authenticate: (node, hash) => standings.get(`${node} ${hash}`, () => nodes.authenticate(node, hash)),
    },
    sessionsToDestroy: async (node, running) => {
      const isOrphan = async (id: (typeof running)[number]): Promise<boolean> =>
        (await sessions.sessionsToDestroy(node, [id])).length > 0;
      const found = await Promise.all(running.map((id) => orphans.get(`${node} ${id}`, () => isOrphan(id))));
      return running.filter((_, index) => found[index]);
    },
    changed: (stream) => {
      if (stream.startsWith('node-')) standings.clear();
    },
  };
}

import { CachedReads } from '../../infra/platform/cache.ts';
import { within } from '../../infra/platform/timeout.ts';
import type { NodeId, SessionId } from '../../contracts/ids.ts';
import type { NodeCommands, NodeCredentialStatus } from '../../commands/node/index.ts';
import type { SessionCommands } from '../../commands/session/index.ts';
import { hashCredential } from '../../infra/fleet/control-plane/credential.ts';
import type { FleetIngressOptions } from '../../infra/fleet/control-plane/ingress.ts';
import type { NodeRegistry } from '../../infra/fleet/control-plane/registry.ts';

/** Maximum age of a cached state in milliseconds, in case an invalidation is missed. */
const maxAgeMs = 10_000;
/**
 * Maximum wait for the log, in milliseconds, where a call can be answered without it. A node waits 5 s for an answer,
 * and sends its next heartbeat only after it.
 */
const patienceMs = 1_000;

/**
 * Answers nodes from caches that serve an expired state while it is read again. So nodes keep their sessions during an
 * outage of the event store, and the heartbeats of a large fleet do not read it repeatedly.
 *
 * - If the status is not cached during an outage, as after a restart, the node gets the status of its last admission.
 * - A drained or revoked node gets that answer at its next call after the invalidation.
 * - The end of a session is sent to its node at once. An orphaned browser that missed it is found here, once the
 *   cached state of its session has expired.
 */
export function answerHeartbeats(
  nodes: Pick<NodeCommands, 'register' | 'authenticate'>,
  sessions: Pick<SessionCommands, 'sessionsToDestroy'>,
  registry: LastHeartbeats,
): Pick<FleetIngressOptions, 'nodes' | 'sessionsToDestroy'> & { changed(stream: string): void } {
  const statuses = new CachedReads<NodeCredentialStatus>({ maxAgeMs, servesStale: true });
  const orphans = new CachedReads<boolean>({ maxAgeMs, servesStale: true, maxEntries: 100_000 });
  const statusOf = (node: NodeId, hash: string): Promise<NodeCredentialStatus> => {
    const logged = nodes.authenticate(node, hash);
    return within(patienceMs, logged).catch(async () => (await lastStatus(registry, node, hash)) ?? logged);
  };
  return {
    nodes: {
      register: async (registration) => {
        await nodes.register(registration);
        statuses.clear();
      },
      authenticate: (node, hash) => statuses.get(`${node} ${hash}`, () => statusOf(node, hash)),
    },
    sessionsToDestroy: async (node, running) => {
      const isOrphan = async (id: SessionId): Promise<boolean> =>
        (await sessions.sessionsToDestroy(node, [id])).length > 0;
      // A session whose state is not read in time is left running: a later heartbeat checks it again.
      const isKnownOrphan = (id: SessionId): Promise<boolean> => {
        const known = orphans.get(`${node} ${id}`, () => isOrphan(id));
        return within(patienceMs, known).catch(() => false);
      };
      const found = await Promise.all(running.map(isKnownOrphan));
      return running.filter((_, index) => found[index]);
    },
    changed: (stream) => {
      if (stream.startsWith('node-')) statuses.clear();
    },
  };
}

type LastHeartbeats = Pick<NodeRegistry, 'address' | 'list'>;

/**
 * The status of the node's last admission; undefined if that was with another credential. The stored credential is
 * sealed, so only an ingress can have written it; that of a revoked node is deleted.
 */
async function lastStatus(
  registry: LastHeartbeats,
  node: NodeId,
  hash: string,
): Promise<NodeCredentialStatus | undefined> {
  const [known, rows] = await Promise.all([registry.address(node), registry.list()]);
  if (known === undefined || hashCredential(known.credential) !== hash) return undefined;
  return rows.find(({ nodeId }) => nodeId === node)?.draining ? 'draining' : 'active';
}

import { CachedReads } from '../../infra/platform/cache.ts';
import { within } from '../../infra/platform/timeout.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { NodeCommands, NodeCredentialStatus } from '../../commands/node/index.ts';
import type { SessionCommands } from '../../commands/session/index.ts';
import type { FleetIngressOptions } from '../../infra/fleet/control-plane/ingress.ts';

/** Maximum age of a cached state in milliseconds, in case an invalidation is missed. */
const maxAgeMs = 10_000;
/** Milliseconds that a heartbeat waits for the log. Its node sends the next one only after the answer, and gives that 5 s. */
const patienceMs = 500;

/**
 * Answers nodes from caches that serve an expired state while it is read again, so that nodes keep their sessions during an
 * outage of the event store, and heartbeats of a large fleet do not read it repeatedly. A drained or revoked node gets that
 * answer at its next call after the invalidation. A session's end is sent to its node at once; an orphaned browser that missed it
 * is found here, once the cached state of its session has expired.
 */
export function answerHeartbeats(
  nodes: Pick<NodeCommands, 'register' | 'authenticate'>,
  sessions: Pick<SessionCommands, 'sessionsToDestroy'>,
): Pick<FleetIngressOptions, 'nodes' | 'sessionsToDestroy'> & { changed(stream: string): void } {
  const statuses = new CachedReads<NodeCredentialStatus>({ maxAgeMs, servesStale: true });
  const orphans = new CachedReads<boolean>({ maxAgeMs, servesStale: true, maxEntries: 100_000 });
  return {
    nodes: {
      register: async (registration) => {
        await nodes.register(registration);
        statuses.clear();
      },
      authenticate: (node, hash) => statuses.get(`${node} ${hash}`, () => nodes.authenticate(node, hash)),
    },
    sessionsToDestroy: async (node, running) => {
      const isOrphan = async (id: SessionId): Promise<boolean> =>
        (await sessions.sessionsToDestroy(node, [id])).length > 0;
      // What is not known yet is left alone: a later heartbeat learns it.
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

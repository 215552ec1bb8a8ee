import type { Logger } from 'pino';
import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf, type AgentSessionId } from '../../contracts/ids.ts';
import type { EventStore } from '../../infra/event-store/client/index.ts';
import type { Rooms } from '../../infra/fleet/control-plane/rooms.ts';

/**
 * Notifies listeners of changes of agent sessions whose rooms have people. The subscription to the log starts with the
 * first room. If it fails, changes are noticed at the next heartbeat.
 */
export function followRooms(store: Pick<EventStore, 'subscribe'>, logger: Logger) {
  const listeners = new Map<string, Set<() => void>>();
  let news: ReturnType<EventStore['subscribe']> | undefined;
  let following: Promise<void> = Promise.resolve();
  const follow = async (subscription: NonNullable<typeof news>): Promise<void> => {
    try {
      for await (const message of subscription) {
        if (message.kind !== 'event') continue;
        for (const listener of listeners.get(message.event.stream) ?? []) listener();
      }
    } catch (error) {
      logger.error(
        { err: error },
        'The subscription to rooms has stopped; changes of control are now noticed only at heartbeats.',
      );
    }
  };
  const watch: Rooms['watch'] = (id: AgentSessionId, listener) => {
    if (news === undefined) {
      news = store.subscribe({ from: 'end', asStored: true, prefixes: ['agent_session-'] });
      following = follow(news);
    }
    const stream = streamOf(agentSessionEvents, uuidOf(id));
    const those = listeners.get(stream) ?? new Set();
    listeners.set(stream, those.add(listener));
    return () => {
      those.delete(listener);
      if (those.size === 0 && listeners.get(stream) === those) listeners.delete(stream);
    };
  };
  return {
    watch,
    async close(): Promise<void> {
      await news?.close();
      await following;
    },
  };
}

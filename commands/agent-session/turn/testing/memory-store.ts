import {
  WrongExpectedRevision,
  type EventStore,
  type RecordedEvent,
} from '../../../../infra/event-store/client/types.ts';

/** A log in memory. Calls `before` before each append, and takes an id once. */
export function memoryStore(before: (stream: string) => Promise<void>) {
  const streams = new Map<string, RecordedEvent[]>();
  const log: RecordedEvent[] = [];
  const ids = new Set<string>();
  let position = 0n;
  const store: Pick<EventStore, 'append' | 'head' | 'readAll' | 'readStream'> = {
    async append(stream, expected, events) {
      await before(stream);
      const stored = streams.get(stream) ?? [];
      const last = stored.at(-1)?.revision ?? null;
      if ((expected === 'no_stream' ? null : expected) !== last)
        throw new WrongExpectedRevision(stream, last);
      for (const { id, type, data, metadata } of events) {
        if (ids.has(id)) throw new Error(`${type} of ${stream} has the id of another event, ${id}.`);
        ids.add(id);
        position += 1n;
        const at = { revision: BigInt(stored.length), position: { commit: position, prepare: position } };
        const category = stream.slice(0, stream.indexOf('-'));
        const event = { id, type, data, metadata, stream, category, created: new Date(), ...at };
        stored.push(event);
        log.push(event);
      }
      streams.set(stream, stored);
      return { revision: BigInt(stored.length - 1), position: { commit: position, prepare: position } };
    },
    head: async () => log.at(-1)?.position,
    async *readAll({ from = 'start' } = {}) {
      yield* log.filter((event) => typeof from !== 'object' || event.position.commit >= from.commit);
    },
    async *readStream(stream, { from = 'start', direction = 'forwards' } = {}) {
      const stored = streams.get(stream) ?? [];
      const events = direction === 'backwards' ? stored.toReversed() : stored;
      yield* events.filter(({ revision }) => typeof from !== 'bigint' || revision >= from);
    },
  };
  // The runner and the turns only use these methods.
  return store as EventStore;
}

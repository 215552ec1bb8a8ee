import { systemPause } from '../../../infra/platform/clock.ts';
import type { EventStore, Position, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { quiet } from '../../session/testing.ts';
import { follow } from './follower.ts';
import type { Sweep } from './host.ts';
import { Partitions } from './partitions.ts';
import type { ProcessManager } from './process-manager.ts';
import type { ReactionPorts } from './reactions.ts';
import type { Parked } from '../../../infra/log-follower/parking.ts';

/** Metadata of events that no command made. */
export const metadata = {
  correlation_id: 'test',
  causation_id: 'test',
  actor: { kind: 'system', account_id: null },
  occurred_at: '2026-01-05T12:00:00.000Z',
  schema_version: 1,
  request_id: null,
} as const;

/** The database of a host. */
export class Kept {
  position: Position | undefined;
  readonly parked = new Map<string, Parked<{ readonly process: string }>>();
}

const keyOf = ({ process }: { readonly process: string }, { id }: Pick<RecordedEvent, 'id'>): string =>
  `${process} ${id}`;

interface Following {
  readonly store: EventStore;
  readonly managers: readonly ProcessManager[];
  readonly kept?: Kept;
  readonly concurrency?: number;
}

/** A host with short intervals that follows the log, by default from its start. */
export function startFollowing({ store, managers, kept = new Kept(), concurrency = 16 }: Following) {
  const stop = new AbortController();
  const ports: ReactionPorts = {
    store,
    managers,
    logger: quiet,
    pause: systemPause,
    partitions: new Partitions(),
    attempts: 3,
    backoffMs: 1,
    maxBackoffMs: 2,
    parking: {
      park: async (place, event, failure) =>
        void kept.parked.set(keyOf(place, event), { ...event, ...failure, place, parkedAt: new Date() }),
      list: async () => [...kept.parked.values()],
      unpark: async (place, event) => void kept.parked.delete(keyOf(place, event)),
    },
  };
  const checkpoint = {
    read: async () => kept.position,
    save: async (position: Position) => void (kept.position = position),
  };
  const running = follow({ ...ports, checkpoint, checkpointMs: 2, concurrency }, stop.signal);
  return {
    kept,
    ports,
    running,
    close: () => {
      stop.abort();
      return running;
    },
  };
}

/** A signal of a term that does not end. */
export const never = new AbortController().signal;

/** The sweep in a term that does not end. */
export const uninterrupted = (sweep: Sweep) => ({ ...sweep, run: () => sweep.run(never) });

/** Whether a host has reacted to every event in the log of such streams. */
export async function isPast(
  store: EventStore,
  { position: reached }: Kept,
  prefixes: readonly string[],
): Promise<boolean> {
  const last = { direction: 'backwards', from: 'end', limit: 1, prefixes } as const;
  for await (const { position } of store.readAll(last)) {
    return reached !== undefined && reached.commit >= position.commit;
  }
  return true;
}

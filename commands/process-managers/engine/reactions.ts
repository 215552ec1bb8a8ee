import type { Logger } from 'pino';
import type { Pause } from '../../../infra/platform/clock.ts';
import {
  EventStoreUnavailable,
  type EventStore,
  type RecordedEvent,
} from '../../../infra/event-store/client/types.ts';
import { parkedEvent } from '../../../infra/log-follower/parking.ts';
import type { Partitions } from './partitions.ts';
import type { ProcessManager } from './process-manager.ts';
import type { ReactionParking } from './tables.ts';
import type { HostSettings } from './settings.ts';
import { following } from '../../../infra/tracing/index.ts';
import { SealUnreadable } from '../../../infra/vault/index.ts';
import { untilFirstFailure } from './until-first-failure.ts';
import { pauseMs } from '../../../infra/platform/back-off.ts';

export interface ReactionPorts extends Pick<HostSettings, 'attempts' | 'backoffMs' | 'maxBackoffMs'> {
  readonly store: EventStore;
  readonly parking: ReactionParking;
  readonly pause: Pause;
  readonly logger: Logger;
  readonly managers: readonly ProcessManager[];
  readonly partitions: Partitions;
}

/**
 * Has every manager of the event's type react. Resolves once each reaction took effect or is parked; rejects when
 * the signal ends the work first, and then the event counts as not reacted to.
 */
export async function reactTo(
  ports: ReactionPorts,
  event: RecordedEvent,
  signal: AbortSignal,
): Promise<void> {
  const concerned = ports.managers.filter(({ types }) => types.includes(event.type));
  const reactions = concerned.map((manager) =>
    inTurn(ports, manager, event, async () => {
      signal.throwIfAborted();
      await persist(ports, manager, event, signal);
    }),
  );
  await untilFirstFailure(reactions, () => undefined);
}

/** Runs the reaction now, or after the earlier ones of its partition. */
function inTurn(
  { partitions }: ReactionPorts,
  manager: ProcessManager,
  event: RecordedEvent,
  work: () => Promise<void>,
): Promise<void> {
  const partition = manager.partition?.(event);
  return partition === undefined ? work() : partitions.run(`${manager.name} ${partition}`, work);
}

/** A reaction is a trace of its own, linked to its event's. */
const handle = (manager: ProcessManager, event: RecordedEvent): Promise<void> =>
  following([event.metadata.traceparent], reactionSpan(manager, event), () => manager.handle(event));

const reactionSpan = ({ name }: ProcessManager, { category, type }: RecordedEvent) =>
  ({
    name: `process ${name}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'eventstoredb',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'react',
      'messaging.destination.name': category,
      'messaging.consumer.group.name': name,
      'service.event.type': type,
    },
  }) as const;

/**
 * Waits for an unreachable event store instead of parking: no other reaction could succeed either. Parks an event without readable data at
 * once: there may be thousands, and seconds do not help.
 */
async function persist(
  { parking, pause, logger, attempts, backoffMs, maxBackoffMs }: ReactionPorts,
  manager: ProcessManager,
  event: RecordedEvent,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await handle(manager, event);
    } catch (error) {
      const { id: event_id, type: event_type } = event;
      const about = { err: error, process: manager.name, event_id, event_type, failures };
      const isLast = failures >= attempts || event.data === undefined;
      if (isLast && !(error instanceof EventStoreUnavailable)) {
        logger.error(about, 'A reaction was parked.');
        return parking.park({ process: manager.name }, event, { reason: String(error), attempts: failures });
      }
      logger.warn(about, 'A reaction failed; retrying.');
      await pause(pauseMs({ firstMs: backoffMs, longestMs: maxBackoffMs }, failures - 1), signal);
    }
  }
}

/** Notifies managers that a term begins, with their parked reactions. */
export async function beginTerm(ports: ReactionPorts): Promise<void> {
  const managers = ports.managers.filter(({ begin }) => begin !== undefined);
  const parked: Parked[] = [];
  for await (const each of parkedIn({ ...ports, managers }, await ports.parking.list())) parked.push(each);
  for (const manager of managers)
    manager.begin?.(parked.filter((each) => each.manager === manager).map(({ event }) => event));
}

/**
 * Retries every parked reaction once, those of a manager oldest first; those that take effect leave the table. Managers do not wait for each
 * other: those about payments may wait for a processor that does not answer. None begins after the signal is aborted.
 */
export async function retryParked(ports: ReactionPorts, signal: AbortSignal): Promise<void> {
  const all = await ports.parking.list();
  const retries = ports.managers.map(async (manager) => {
    for await (const { event } of parkedIn({ ...ports, managers: [manager] }, all)) {
      if (signal.aborted) return;
      await inTurn(ports, manager, event, async () => {
        if (!signal.aborted) await retry(ports, manager, event);
      });
    }
  });
  await untilFirstFailure(retries, () => undefined);
}

type ParkedReaction = Awaited<ReturnType<ReactionParking['list']>>[number];

interface Parked {
  readonly manager: ProcessManager;
  readonly event: RecordedEvent;
}

async function* parkedIn(ports: ReactionPorts, all: readonly ParkedReaction[]): AsyncGenerator<Parked> {
  for (const parked of all) {
    const manager = ports.managers.find(({ name }) => name === parked.place.process);
    if (manager === undefined) continue;
    const event = await readableIn(ports, parked);
    if (event !== undefined) yield { manager, event };
  }
}

/** Undefined if the vault cannot open the event: it stays parked, and no other waits for it. */
async function readableIn(
  { parking, store }: ReactionPorts,
  parked: ParkedReaction,
): Promise<RecordedEvent | undefined> {
  try {
    return await parkedEvent(store, parked);
  } catch (error) {
    if (!(error instanceof SealUnreadable)) throw error;
    await parking.park(parked.place, parked, { reason: String(error), attempts: 1 });
    return undefined;
  }
}

async function retry(
  { parking, logger }: ReactionPorts,
  manager: ProcessManager,
  event: RecordedEvent,
): Promise<void> {
  const place = { process: manager.name };
  try {
    await handle(manager, event);
    await parking.unpark(place, event);
    logger.info({ ...place, event_id: event.id }, 'A parked reaction took effect.');
  } catch (error) {
    await parking.park(place, event, { reason: String(error), attempts: 1 });
  }
}

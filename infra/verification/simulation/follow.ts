import type { Position } from '../../event-store/client/types.ts';
import { follow, type FollowPorts } from '../../../commands/process-managers/engine/follower.ts';
import type { ProcessManager } from '../../../commands/process-managers/index.ts';
import { Partitions } from '../../../commands/process-managers/engine/partitions.ts';
import type { Checkpoint, ReactionParking } from '../../../commands/process-managers/engine/tables.ts';
import type { Life } from './life.ts';
import { quiet, type World } from './world.ts';

/** Never aborted: a process ends by crashing. */
export const never = (): AbortSignal => new AbortController().signal;

/** The ports with which a host of process managers follows the log. */
export function followPorts(
  world: World,
  life: Life,
  managers: readonly ProcessManager[],
  checkpoints: Position[],
): FollowPorts {
  return {
    store: world.store.connect(life),
    managers: managers.map(world.variant.manager ?? ((same) => same)),
    partitions: new Partitions(),
    parking: parkingOf(world, life),
    checkpoint: checkpointOf(world, life, checkpoints),
    pause: world.schedule.pauseOf(life),
    logger: quiet,
    checkpointMs: 15_000,
    concurrency: 16,
    attempts: 3,
    backoffMs: 100,
    maxBackoffMs: 5000,
  };
}

export async function keepFollowing(ports: FollowPorts): Promise<void> {
  for (;;) {
    await follow(ports, never()).catch(() => undefined);
    await ports.pause(100, never());
  }
}

const checkpointOf = ({ schedule }: World, life: Life, checkpoints: Position[]): Checkpoint => ({
  read: async () => {
    await schedule.turn(life, 'read the checkpoint');
    return checkpoints.at(-1);
  },
  save: async (position) => {
    await schedule.turn(life, 'save the checkpoint');
    checkpoints.push(position);
  },
});

const parkingOf = ({ parked, schedule, clock }: World, life: Life): ReactionParking => ({
  park: async (place, event, failure) => {
    const key = `${place.process} of ${event.id}`;
    await schedule.turn(life, `park ${key}`);
    parked.set(key, { ...event, ...failure, place, parkedAt: clock.now() });
  },
  list: async () => {
    await schedule.turn(life, 'look up parked reactions');
    return [...parked.values()];
  },
  unpark: async ({ process }, { id }) => {
    const key = `${process} of ${id}`;
    await schedule.turn(life, `unpark ${key}`);
    parked.delete(key);
  },
});

import { secretField } from '../../webhooks/signature.ts';
import {
  createCancelling,
  createDeliveries,
  handleDeliveryWakeUps,
} from '../../../commands/webhook-delivery/index.ts';
import { deliveriesSweep } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import type { Sweep } from '../../../commands/process-managers/engine/host.ts';
import { deliveringProcess } from '../../../commands/process-managers/webhook-delivery/index.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import { fakeSender, timeoutMs as attemptLimitMs } from './fake-sender.ts';
import { vault } from './fake-vault.ts';
import type { Life } from './life.ts';
import { followPorts, keepFollowing } from './follow.ts';
import { openDeliveries } from './webhook-side.ts';
import { quiet, type World } from './world.ts';

/** Few, so that runs reach the last one; the second is beyond the scheduling window. */
export const backoffMs = [10_000, 150_000];

/** A worker that makes attempts. */
export function deliverer(world: World, life: Life): undefined {
  attempting(world, life);
  return undefined;
}

/** Starts a process that also delivers events to endpoints. */
export function announcer(world: World, life: Life): undefined {
  const { runner, deliveries } = attempting(world, life);
  const fanOut = deliveringProcess({
    store: world.store.connect(life),
    runner,
    clock: world.clock,
    wakeUps: world.deliveries.connect(life),
    sendFirst: (delivery, cause) => deliveries.first.make(delivery, cause),
    observe: (event) => deliveries.observe(event),
    logger: quiet,
  });
  void keepFollowing(followPorts(world, life, [fanOut], world.deliveryCheckpoints));
  return undefined;
}

function attempting(world: World, life: Life) {
  const { clock, schedule, variant } = world;
  const { send } = (variant.sender ?? ((same) => same))(fakeSender(world, life));
  const { runner } = controlPlane(world, life);
  const deliveries = createDeliveries({
    runner,
    clock,
    now: () => schedule.now,
    pause: schedule.pauseOf(life),
    after: schedule.afterOf(life),
    random: () => schedule.choose(4) / 4,
    newCommandId: () => world.newUuid(),
    send,
    vault,
    secretField,
    wakeUps: world.deliveries.connect(life),
    backoffMs,
    jitter: 0.1,
    slotsPerEndpoint: 3,
    attemptsAtOnce: 4,
    attemptLimitMs,
    logger: quiet,
  });
  handleDeliveryWakeUps({ onWakeUp: (handle) => world.deliveries.onWakeUp(life, handle) }, deliveries);
  return { runner, deliveries };
}

/** Deliveries whose wake-up was lost, and whose endpoint is gone. */
export function lostDeliveries(world: World, life: Life, { runner }: ControlPlane, everyMs: number): Sweep {
  const { clock, schedule } = world;
  return deliveriesSweep(
    {
      open: openDeliveries(world, life),
      clock,
      wakeUps: world.deliveries.connect(life),
      cancel: createCancelling({ runner, clock, now: () => schedule.now }),
      logger: quiet,
    },
    everyMs,
  );
}

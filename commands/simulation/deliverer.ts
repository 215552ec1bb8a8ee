import { secretField } from '../../infra/webhooks/secret.ts';
import { createCancelling, createDeliveries, handleDeliveryWakeUps } from '../deliveries/index.ts';
import { deliveriesSweep } from '../processes/deliveries-sweep.ts';
import type { Sweep } from '../processes/term.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import { fakeSender } from './fake-sender.ts';
import { vault } from './fake-vault.ts';
import type { Life } from './life.ts';
import { openDeliveries } from './webhook-side.ts';
import { quiet, type World } from './world.ts';

/** Few enough for runs to come to the end of them; the second is beyond the queue's horizon. */
export const backoffMs = [10_000, 150_000];

/** Makes attempts. */
export function deliverer(world: World, life: Life): undefined {
  const { clock, schedule, variant } = world;
  const { send } = (variant.sender ?? ((same) => same))(fakeSender(world, life));
  const wakeUps = world.deliveries.connect(life);
  const deliveries = createDeliveries({
    runner: controlPlane(world, life).runner,
    clock,
    now: () => schedule.now,
    pause: schedule.pauseOf(life),
    random: () => schedule.choose(4) / 4,
    newCommandId: () => world.newUuid(),
    send,
    vault,
    secretField,
    wakeUps,
    backoffMs,
    jitter: 0.1,
    slotsPerEndpoint: 3,
    logger: quiet,
  });
  handleDeliveryWakeUps({ onWakeUp: (handle) => world.deliveries.onWakeUp(life, handle) }, deliveries);
  return undefined;
}

/** Whose wake-up was lost, and whose endpoint is gone. */
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

import type { Logger } from 'pino';
import type { WakeUp, WakeUps } from '../../../infra/queue/types.ts';

export interface WakeUpPorts {
  /** Of the queue of deliveries. */
  readonly wakeUps: Pick<WakeUps, 'scheduleAll'>;
  readonly logger: Logger;
}

/**
 * Hands wake-ups to the queue, those that come together in one call. Nobody waits for it: the sweep
 * does what a queue that is down does not, and reactions must not slow down with it.
 */
export function collectWakeUps({ wakeUps, logger }: WakeUpPorts): (wakeUp: WakeUp) => void {
  let collected: WakeUp[] = [];
  let isDown = false;
  const hand = (): void => {
    const all = collected;
    collected = [];
    wakeUps.scheduleAll(all).then(
      () => (isDown = false),
      (error: unknown) => {
        const about = { err: error, wake_ups: all.length, first: all[0]?.id };
        // Once for each outage: there may be thousands of them.
        if (!isDown) logger.warn(about, 'Wake-ups of deliveries are not scheduled and left to the sweep.');
        isDown = true;
      },
    );
  };
  return (wakeUp) => {
    if (collected.push(wakeUp) === 1) queueMicrotask(hand);
  };
}

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
  const hand = (): void => {
    const all = collected;
    collected = [];
    wakeUps.scheduleAll(all).catch((error: unknown) => {
      const about = { err: error, wake_ups: all.length, first: all[0]?.id };
      logger.warn(about, 'Wake-ups of deliveries were not scheduled and are left to the sweep.');
    });
  };
  return (wakeUp) => {
    if (collected.push(wakeUp) === 1) queueMicrotask(hand);
  };
}

import type { Logger } from 'pino';
import type { Timer } from '../../../domain/kit/timer.ts';
import type { WakeUps } from '../../../infra/queue/types.ts';

export interface WakingPorts {
  readonly wakeUps: Pick<WakeUps, 'schedule'>;
  readonly logger: Logger;
}

/** Not waited for: the sweep does what a queue that is down does not, and reactions must not slow down with it. */
export function wakeUpAt({ wakeUps, logger }: WakingPorts, { id, dueAt }: Timer): Promise<void> {
  wakeUps.schedule(id, new Date(dueAt)).catch((error: unknown) => {
    logger.warn({ err: error, timer: id }, 'A wake-up was not scheduled and is left to the sweep.');
  });
  return Promise.resolve();
}

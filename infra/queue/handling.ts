import { DelayedError } from 'bullmq';
import type { Process } from './backend.ts';
import type { WakeUpHandler } from './types.ts';

/** Wake-ups being handled by this process. */
export interface Handling {
  readonly process: Process;
  /** Makes a wake-up run again at once if its handler delays it. False if it is not being handled. */
  hasten(id: string): boolean;
}

/**
 * Runs the handler, and delays the job if the handler requests that. A job that is hastened meanwhile becomes due at
 * once: it is delayed by 0 ms or, if the delay was already requested from the queue, promoted afterwards.
 */
export function handleWith(
  handler: WakeUpHandler,
  waitMs: (dueAt: Date) => number,
  promote: (id: string) => Promise<unknown>,
): Handling {
  const present = new Map<string, { isHastened: boolean }>();
  return {
    process: async (job, token) => {
      const { id } = job;
      if (id === undefined) return;
      const call = { isHastened: false };
      present.set(id, call);
      try {
        const answer = await handler(id);
        if (!answer) return;
        const wasHastened = call.isHastened;
        await job.moveToDelayed(Date.now() + (wasHastened ? 0 : waitMs(answer.again)), token);
        if (call.isHastened && !wasHastened) await promote(id);
      } finally {
        if (present.get(id) === call) present.delete(id);
      }
      throw new DelayedError();
    },
    hasten: (id) => {
      const call = present.get(id);
      if (call !== undefined) call.isHastened = true;
      return call !== undefined;
    },
  };
}

import { DelayedError } from 'bullmq';
import type { Process } from './backend.ts';
import type { WakeUpHandler } from './types.ts';

/** The wake-ups that are with this process's handler just now. */
export interface Handling {
  readonly process: Process;
  /** Has one that is put back come at once. False when it is not with the handler. */
  hasten(id: string): boolean;
}

/**
 * Runs the handler, and postpones the job if it asks for that. If the job is hastened between the handler's answer and
 * the queue's acknowledgement, it is postponed by no time at all, or hastened afterwards.
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

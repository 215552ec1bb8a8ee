import { backendFor } from './backend.ts';
import { createReopening } from './reopening.ts';
import { isStructureGone } from './structure.ts';
import type { WakeUpOptions, WakeUps } from './types.ts';
import { within } from './within.ts';

export type { WakeUpOptions, WakeUps } from './types.ts';

/** Wake-ups on BullMQ, whose delayed jobs come a few milliseconds late and never early. */
export function createWakeUps({
  url,
  clock,
  logger,
  concurrency = 16,
  scheduleTimeoutMs = 2000,
  closeTimeoutMs = 5000,
}: WakeUpOptions): WakeUps {
  const jobs = createReopening(backendFor(url), { logger, concurrency, closeTimeoutMs });
  return {
    schedule: async (id, dueAt) => {
      const waitMs = Math.max(0, dueAt.getTime() - clock.now().getTime());
      const add = () => within(scheduleTimeoutMs, jobs.add(id, waitMs));
      await add().catch((error: unknown) => {
        if (!isStructureGone(error)) throw error;
        jobs.reopen();
        return add();
      });
    },
    onWakeUp: jobs.listen,
    close: jobs.close,
  };
}

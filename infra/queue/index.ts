import { backendFor } from './backend.ts';
import { Reopening } from './reopening.ts';
import { isStructureGone } from './structure.ts';
import type { WakeUp, WakeUpOptions, WakeUps } from './types.ts';
import { within } from '../platform/timeout.ts';

export type { Priority, WakeUps } from './types.ts';

/** Longer than any handler, so that only a dead or blocked process loses its jobs. */
const defaultLockMs = 40_000;

/** Wake-ups by BullMQ, whose delayed jobs run a few milliseconds late and never early. */
export function createWakeUps({
  url,
  clock,
  logger,
  queueName = 'wake-ups',
  concurrency = 16,
  scheduleTimeoutMs = 2000,
  closeTimeoutMs = 5000,
  lockMs = defaultLockMs,
}: WakeUpOptions): WakeUps {
  const waitMs = (dueAt: Date): number => Math.max(0, dueAt.getTime() - clock.now().getTime());
  const limits = { queueName, concurrency, closeTimeoutMs, lockMs };
  const jobs = new Reopening(backendFor(url), { ...limits, logger, waitMs });
  const delayed = ({ id, dueAt, priority = 'normal' }: WakeUp) => ({ id, delayMs: waitMs(dueAt), priority });
  const inTime = async (ask: () => Promise<unknown>): Promise<void> => {
    const asked = () => within(scheduleTimeoutMs, ask());
    await asked().catch((error: unknown) => {
      if (!isStructureGone(error)) throw error;
      jobs.reopen();
      return asked();
    });
  };
  return {
    schedule: (id, dueAt, priority = 'normal') =>
      inTime(() => jobs.addAll([delayed({ id, dueAt, priority })])),
    scheduleAll: async (wakeUps) => {
      if (wakeUps.length === 0) return;
      const all = wakeUps.map(delayed);
      await inTime(() => jobs.addAll(all));
    },
    hasten: (id) => jobs.hasten(id),
    onWakeUp: (handler) => jobs.listen(handler),
    counts: () => within(scheduleTimeoutMs, jobs.counts()),
    close: () => jobs.close(),
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { backendFor, type JobQueue, type JobWorker } from './backend.ts';
import type { WakeUpOptions, WakeUps } from './types.ts';

export type { WakeUpOptions, WakeUps } from './types.ts';

const queueName = 'wake-ups';

/** Jobs leave the queue whatever became of them: a kept one would swallow the next wake-up of the same id. */
const jobDefaults = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A worker may die often while it holds a wake-up; that alone never discards it. */
const unlimitedStalls = 1_000_000;

/** Wake-ups on BullMQ, whose delayed jobs come a few milliseconds late and never early. */
export function createWakeUps({
  url,
  clock,
  logger,
  concurrency = 16,
  scheduleTimeoutMs = 2000,
  closeTimeoutMs = 5000,
}: WakeUpOptions): WakeUps {
  const backend = backendFor(url);
  const queue = backend.queue(queueName, { defaultJobOptions: jobDefaults });
  queue.on('error', (error) => logger.warn({ err: error }, 'the wake-up queue is unreachable'));
  let worker: JobWorker | undefined;

  return {
    schedule: async (id, dueAt) => {
      const wait = Math.max(0, dueAt.getTime() - clock.now().getTime());
      await within(scheduleTimeoutMs, queue.add('wake-up', {}, { jobId: id, delay: wait }));
    },
    onWakeUp: (handler) => {
      if (worker !== undefined) throw new Error('Wake-ups have a handler already.');
      const options = { concurrency, maxStalledCount: unlimitedStalls };
      worker = backend.worker(
        queueName,
        async ({ id }) => (id === undefined ? undefined : handler(id)),
        options,
      );
      worker.on('error', (error) => logger.warn({ err: error }, 'the wake-up worker lost its queue'));
      worker.on('failed', (job, error) => logger.warn({ err: error, wakeUp: job?.id }, 'a wake-up failed'));
    },
    close: async () => {
      if (worker !== undefined) await closeWithin(closeTimeoutMs, worker);
      await closeWithin(closeTimeoutMs, queue);
    },
  };
}

/** BullMQ waits without end for a server that is gone to say goodbye. */
async function closeWithin(limitMs: number, connected: JobQueue | JobWorker): Promise<void> {
  try {
    await within(limitMs, connected.close());
  } catch {
    await within(limitMs, connected.disconnect()).catch(() => undefined);
  }
}

/** The late result of what did not come in time is of no use; its failure has been told already. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The queue took longer than ${limitMs} ms.`);
  });
  timeout.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
  }
}

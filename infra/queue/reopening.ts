import type { Logger } from 'pino';
import type { Backend, JobQueue, JobWorker } from './backend.ts';
import { isStructureGone } from './structure.ts';
import { within } from './within.ts';

const queueName = 'wake-ups';

/** Jobs leave the queue whatever became of them: a kept one would swallow the next wake-up of the same id. */
const jobDefaults = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A worker may die often while it holds a wake-up; that alone never discards it. */
const unlimitedStalls = 1_000_000;

type Handler = (id: string) => Promise<void>;

export interface ReopeningOptions {
  readonly logger: Logger;
  readonly concurrency: number;
  readonly closeTimeoutMs: number;
}

export interface Reopening {
  add(id: string, delayMs: number): Promise<unknown>;
  listen(handler: Handler): void;
  /** Starts anew on a queue that was taken away; whoever opens it makes its tables. What was in them the sweep finds. */
  reopen(): void;
  close(): Promise<void>;
}

/** The queue and its worker, replaced when what they stand on in Postgres is gone: BullMQ looks for it only at its start. */
export function createReopening(backend: Backend, options: ReopeningOptions): Reopening {
  const open = opener(backend, options, (error) => {
    if (isStructureGone(error)) reopen();
  });
  let handle: Handler | undefined;
  let worker: JobWorker | undefined;
  let queue = open.queue();
  let leaving: Promise<unknown> | undefined;

  /** Those left behind go on failing until they are closed. */
  function reopen(): void {
    if (leaving !== undefined) return;
    leaving = closeBoth(options.closeTimeoutMs, queue, worker).finally(() => (leaving = undefined));
    queue = open.queue();
    worker = handle && open.worker(handle);
  }

  return {
    add: (id, delayMs) => queue.add('wake-up', {}, { jobId: id, delay: delayMs }),
    listen: (handler) => {
      if (handle !== undefined) throw new Error('Wake-ups have a handler already.');
      handle = handler;
      worker = open.worker(handler);
    },
    reopen,
    close: async () => {
      await leaving;
      await closeBoth(options.closeTimeoutMs, queue, worker);
    },
  };
}

function opener(
  backend: Backend,
  { logger, concurrency }: ReopeningOptions,
  onError: (error: Error) => void,
) {
  const failed = (what: string) => (error: Error) => {
    logger.warn({ err: error }, what);
    onError(error);
  };
  return {
    queue: (): JobQueue => {
      const queue = backend.queue(queueName, { defaultJobOptions: jobDefaults });
      queue.on('error', failed('the wake-up queue is unreachable'));
      return queue;
    },
    worker: (wake: Handler): JobWorker => {
      const options = { concurrency, maxStalledCount: unlimitedStalls };
      const run = async ({ id }: { readonly id?: string }) => (id === undefined ? undefined : wake(id));
      const worker = backend.worker(queueName, run, options);
      worker.on('error', failed('the wake-up worker lost its queue'));
      worker.on('failed', (job, error) => logger.warn({ err: error, wakeUp: job?.id }, 'A wake-up failed.'));
      return worker;
    },
  };
}

async function closeBoth(limitMs: number, queue: JobQueue, worker: JobWorker | undefined): Promise<void> {
  if (worker !== undefined) await closeWithin(limitMs, worker);
  await closeWithin(limitMs, queue);
}

/** BullMQ waits without end for a server that is gone to say goodbye. */
async function closeWithin(limitMs: number, connected: JobQueue | JobWorker): Promise<void> {
  try {
    await within(limitMs, connected.close());
  } catch {
    await within(limitMs, connected.disconnect()).catch(() => undefined);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Backend, JobQueue, JobWorker, Process } from './backend.ts';
import { handleWith, type Handling } from './handling.ts';
import { isStructureGone } from './structure.ts';
import type { WakeUpHandler } from './types.ts';
import { within } from './within.ts';

/** Jobs leave the queue whatever became of them: a kept one would swallow the next wake-up of the same id. */
const jobDefaults = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A worker may die often while it holds a wake-up; that alone never discards it. */
const unlimitedStalls = 1_000_000;

/** Between two tries to reach a queue that is away, milliseconds. */
const REOPEN_AFTER_MS = 1_000;

export interface ReopeningOptions {
  readonly queueName: string;
  readonly logger: Logger;
  readonly concurrency: number;
  readonly closeTimeoutMs: number;
  readonly lockMs: number;
  /** Milliseconds from now until then, by the service's clock; never less than 0. */
  readonly waitMs: (dueAt: Date) => number;
}

export interface Delayed {
  readonly id: string;
  readonly delayMs: number;
}

export interface Reopening {
  addAll(jobs: readonly Delayed[]): Promise<unknown>;
  hasten(id: string): Promise<void>;
  listen(handler: WakeUpHandler): void;
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Starts anew on a queue that was taken away; whoever opens it makes its tables. What was in them the sweep finds. */
  reopen(): void;
  close(): Promise<void>;
}

/** The queue and its worker, replaced when what they stand on in Postgres is gone: BullMQ looks for it only at its start. */
export function createReopening(backend: Backend, options: ReopeningOptions): Reopening {
  const onError = (error: Error) => (isStructureGone(error) ? reopen() : undefined);
  const open = usedWhenReady(opener(backend, options, onError), () => void reopenLater());
  let handling: Handling | undefined;
  let worker: JobWorker | undefined;
  let queue = open.queue();
  let leaving: Promise<unknown> | undefined;
  const closing = new AbortController();

  /** Those left behind go on failing until they are closed. */
  function reopen(): void {
    if (leaving !== undefined || closing.signal.aborted) return;
    leaving = closeBoth(options.closeTimeoutMs, queue, worker).finally(() => (leaving = undefined));
    queue = open.queue();
    worker = handling && open.worker(handling.process);
  }
  /** BullMQ on Postgres never gets over a first connection that failed: what did not become ready is opened anew. */
  async function reopenLater(): Promise<void> {
    const notReady = queue;
    await delay(REOPEN_AFTER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    await leaving;
    // Queue and worker share their fate: the first to tell has both opened anew.
    if (queue === notReady) reopen();
  }
  /** One that is not delayed is on its way, or gone. */
  const promote = (id: string) => queue.backend.promote(id).catch(() => undefined);

  return {
    addAll: (jobs) => addTo(queue, jobs),
    hasten: async (id) => {
      if (handling?.hasten(id) !== true) await promote(id);
    },
    listen: (handler) => {
      if (handling !== undefined) throw new Error('Wake-ups have a handler already.');
      handling = handleWith(handler, options.waitMs, promote);
      worker = open.worker(handling.process);
    },
    counts: () => queue.getJobCounts(),
    reopen,
    close: async () => {
      closing.abort();
      await leaving;
      await closeBoth(options.closeTimeoutMs, queue, worker);
    },
  };
}

/** A worker asks for jobs once it can: before that it would ask in a loop that nothing slows down. */
const usedWhenReady = (open: ReturnType<typeof opener>, onNotReady: () => void): typeof open => ({
  queue: () => {
    const queue = open.queue();
    queue.waitUntilReady().catch(onNotReady);
    return queue;
  },
  worker: (process) => {
    const worker = open.worker(process);
    const run = () => worker.run().catch(() => undefined);
    worker.waitUntilReady().then(run, onNotReady);
    return worker;
  },
});

function addTo(queue: JobQueue, jobs: readonly Delayed[]): Promise<unknown> {
  const [first] = jobs;
  if (first !== undefined && jobs.length === 1)
    return queue.add('wake-up', {}, { jobId: first.id, delay: first.delayMs });
  return queue.addBulk(
    jobs.map(({ id, delayMs }) => ({ name: 'wake-up', data: {}, opts: { jobId: id, delay: delayMs } })),
  );
}

function opener(
  backend: Backend,
  { queueName, logger, concurrency, lockMs }: ReopeningOptions,
  onError: (error: Error) => void,
) {
  const failed = (what: string) => (error: Error) => {
    logger.warn({ err: error, queue: queueName }, what);
    onError(error);
  };
  return {
    queue: (): JobQueue => {
      const queue = backend.queue(queueName, { defaultJobOptions: jobDefaults });
      queue.on('error', failed('the wake-up queue is unreachable'));
      return queue;
    },
    worker: (process: Process): JobWorker => {
      const locks = { lockDuration: lockMs, stalledInterval: lockMs / 5, maxStalledCount: unlimitedStalls };
      const running = { autorun: false, runRetryDelay: REOPEN_AFTER_MS };
      const worker = backend.worker(queueName, process, { concurrency, ...locks, ...running });
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

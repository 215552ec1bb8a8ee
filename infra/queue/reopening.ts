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

/** How long to wait before what did not become ready is opened anew, and between two lines about failures; ms. */
const pauseMs = 1000;

/** A queue, and a worker of it where there is a handler. */
interface Opened {
  readonly queue: JobQueue;
  readonly worker: JobWorker | undefined;
}

/**
 * The queue and its worker, replaced when what they stand on in Postgres is gone, for BullMQ looks for it only at its start,
 * and when they were opened in the moment their server went away, for BullMQ asks only once.
 */
export function createReopening(backend: Backend, options: ReopeningOptions): Reopening {
  const open = opener(backend, options, (error) => {
    if (isStructureGone(error)) reopen();
  });
  let handling: Handling | undefined;
  let opened: Opened = { queue: open.queue(), worker: undefined };
  let leaving: Promise<unknown> | undefined;
  let isClosed = false;

  function begin(): void {
    const mine = opened;
    const anew = (): void => {
      if (mine !== opened || isClosed) return;
      if (leaving === undefined) reopen();
      else setTimeout(anew, pauseMs).unref();
    };
    open.begin(mine).catch(() => setTimeout(anew, pauseMs).unref());
  }
  /** Those left behind go on failing until they are closed. */
  function reopen(): void {
    if (leaving !== undefined || isClosed) return;
    leaving = closeBoth(options.closeTimeoutMs, opened).finally(() => (leaving = undefined));
    opened = { queue: open.queue(), worker: handling && open.worker(handling.process) };
    begin();
  }
  /** One that is not delayed is on its way, or gone. */
  const promote = (id: string) => opened.queue.backend.promote(id).catch(() => undefined);

  begin();
  return {
    addAll: (jobs) => addTo(opened.queue, jobs),
    hasten: async (id) => {
      if (handling?.hasten(id) !== true) await promote(id);
    },
    listen: (handler) => {
      if (handling !== undefined) throw new Error('Wake-ups have a handler already.');
      handling = handleWith(handler, options.waitMs, promote);
      opened = { queue: opened.queue, worker: open.worker(handling.process) };
      begin();
    },
    counts: () => opened.queue.getJobCounts(),
    reopen,
    close: async () => {
      isClosed = true;
      await leaving;
      await closeBoth(options.closeTimeoutMs, opened);
    },
  };
}

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
  let toldAt = -Infinity;
  const tell = (error: unknown, what: string): void => {
    if (performance.now() - toldAt < pauseMs) return;
    toldAt = performance.now();
    logger.warn({ err: error, queue: queueName }, what);
  };
  const failed = (what: string) => (error: Error) => {
    tell(error, what);
    onError(error);
  };
  return {
    begin: async ({ queue, worker }: Opened): Promise<void> => {
      try {
        await Promise.all([queue.waitUntilReady(), worker?.waitUntilReady()]);
      } catch (error) {
        tell(error, 'the wake-up queue did not become ready and is opened anew');
        throw error;
      }
      worker?.run().catch((error: unknown) => tell(error, 'the wake-up worker ended'));
    },
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

async function closeBoth(limitMs: number, { queue, worker }: Opened): Promise<void> {
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

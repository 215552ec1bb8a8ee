import type { Logger } from 'pino';
import type { Backend, JobQueue, JobWorker, Process } from './backend.ts';
import { handleWith, type Handling } from './handling.ts';
import { isStructureGone } from './structure.ts';
import type { WakeUpHandler } from './types.ts';
import { within } from '../platform/timeout.ts';

/** Jobs leave the queue whatever became of them: a kept one would swallow the next wake-up of the same id. */
const jobDefaults = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A worker may die often while it holds a wake-up; that alone never discards it. */
const unlimitedStalls = 1_000_000;

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

/** Between two tries to reach a queue that is away, and between two lines about it; ms. */
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
export class Reopening {
  readonly #options: ReopeningOptions;
  readonly #open: ReturnType<typeof opener>;
  #handling: Handling | undefined;
  #opened: Opened;
  #leaving: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(backend: Backend, options: ReopeningOptions) {
    this.#options = options;
    this.#open = opener(backend, options, (error) => {
      if (isStructureGone(error)) this.reopen();
    });
    this.#opened = { queue: this.#open.queue(), worker: undefined };
    this.#begin();
  }

  addAll(jobs: readonly Delayed[]): Promise<unknown> {
    return addTo(this.#opened.queue, jobs);
  }

  async hasten(id: string): Promise<void> {
    if (this.#handling?.hasten(id) !== true) await this.#promote(id);
  }

  listen(handler: WakeUpHandler): void {
    if (this.#handling !== undefined) throw new Error('Wake-ups have a handler already.');
    this.#handling = handleWith(handler, this.#options.waitMs, (id) => this.#promote(id));
    this.#opened = { ...this.#opened, worker: this.#open.worker(this.#handling.process) };
    this.#begin();
  }

  counts(): Promise<Readonly<Record<string, number>>> {
    return this.#opened.queue.getJobCounts();
  }

  /** Reopens a queue whose tables were dropped, which creates them. The sweep replaces the lost wake-ups. */
  reopen(): void {
    if (this.#leaving !== undefined || this.#isClosed) return;
    const left = closeBoth(this.#options.closeTimeoutMs, this.#opened);
    // Those left behind go on failing until they are closed.
    this.#leaving = left.finally(() => (this.#leaving = undefined));
    const worker = this.#handling && this.#open.worker(this.#handling.process);
    this.#opened = { queue: this.#open.queue(), worker };
    this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#leaving;
    await closeBoth(this.#options.closeTimeoutMs, this.#opened);
  }

  #begin(): void {
    const mine = this.#opened;
    const anew = (): void => {
      if (mine !== this.#opened || this.#isClosed) return;
      if (this.#leaving === undefined) this.reopen();
      else inAWhile(anew);
    };
    this.#open.begin(mine).catch(() => inAWhile(anew));
  }

  /** A job that is not delayed is running or has ended. */
  #promote(id: string): Promise<unknown> {
    return this.#opened.queue.backend.promote(id).catch(() => undefined);
  }
}

const inAWhile = (work: () => void): void => void setTimeout(work, pauseMs).unref();

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
  let loggedAt = -Infinity;
  const tell = (error: unknown, what: string): void => {
    if (performance.now() - loggedAt < pauseMs) return;
    loggedAt = performance.now();
    logger.warn({ err: error, queue: queueName }, what);
  };
  const failed = (what: string) => (error: Error) => {
    tell(error, what);
    onError(error);
  };
  return {
    /** A worker asks for jobs once it can: before that it would ask in a loop that nothing slows down. */
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
      const running = { autorun: false, runRetryDelay: pauseMs };
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

/** On close BullMQ waits indefinitely for a dead server. */
async function closeWithin(limitMs: number, connected: JobQueue | JobWorker): Promise<void> {
  try {
    await within(limitMs, connected.close());
  } catch {
    await within(limitMs, connected.disconnect()).catch(() => undefined);
  }
}

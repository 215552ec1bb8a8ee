import type { Logger } from 'pino';
import type { Backend, JobQueue, JobWorker, NewJob, Process } from './backend.ts';
import { handleWith, type Handling } from './handling.ts';
import { isStructureGone } from './structure.ts';
import type { Priority, WakeUpHandler } from './types.ts';
import { within } from '../platform/timeout.ts';

/** Jobs are removed whatever their outcome: a remaining one would deduplicate the next wake-up with its id. */
const jobDefaults = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** BullMQ takes jobs of 0, its default, first, and then those of the lowest number. */
const bullPriorities: Readonly<Record<Priority, number>> = { normal: 0, low: 1 };

/** A worker may die repeatedly while it holds a wake-up, which must not discard it. */
const unlimitedStalls = 1_000_000;

export interface ReopeningOptions {
  readonly queueName: string;
  readonly logger: Logger;
  readonly concurrency: number;
  readonly closeTimeoutMs: number;
  readonly lockMs: number;
  /** Milliseconds from now until then, by the service's clock; at least 0. */
  readonly waitMs: (dueAt: Date) => number;
}

export interface Delayed {
  readonly id: string;
  readonly delayMs: number;
  readonly priority: Priority;
}

/** Interval of retries while a queue is unavailable, and of log lines about it; ms. */
const pauseMs = 1000;

/** A queue, and its worker if there is a handler. */
interface Opened {
  readonly queue: JobQueue;
  readonly worker: JobWorker | undefined;
}

/**
 * The queue and its worker. Replaced if their tables in Postgres are gone, which BullMQ only checks at its start, and if they
 * were opened while the server went away, because BullMQ does not retry that.
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
    // The old ones keep failing until they are closed.
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
  if (first !== undefined && jobs.length === 1) return queue.add('wake-up', {}, optionsOf(first));
  return queue.addBulk(jobs.map((job) => ({ name: 'wake-up', data: {}, opts: optionsOf(job) })));
}

const optionsOf = ({ id, delayMs, priority }: Delayed): NewJob['opts'] => ({
  jobId: id,
  delay: delayMs,
  priority: bullPriorities[priority],
});

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
    /** A worker fetches jobs only once it is ready: before that it would do so in a busy loop. */
    begin: async ({ queue, worker }: Opened): Promise<void> => {
      try {
        await Promise.all([queue.waitUntilReady(), worker?.waitUntilReady()]);
      } catch (error) {
        tell(error, 'The wake-up queue did not become ready; reopening it.');
        throw error;
      }
      worker?.run().catch((error: unknown) => tell(error, 'The wake-up worker ended.'));
    },
    queue: (): JobQueue => {
      const queue = backend.queue(queueName, { defaultJobOptions: jobDefaults });
      queue.on('error', failed('The wake-up queue is unreachable.'));
      return queue;
    },
    worker: (process: Process): JobWorker => {
      const locks = { lockDuration: lockMs, stalledInterval: lockMs / 5, maxStalledCount: unlimitedStalls };
      const running = { autorun: false, runRetryDelay: pauseMs };
      const worker = backend.worker(queueName, process, { concurrency, ...locks, ...running });
      worker.on('error', failed('The wake-up worker lost its connection to the queue.'));
      worker.on('failed', (job, error) => logger.warn({ err: error, wakeUp: job?.id }, 'A wake-up failed.'));
      return worker;
    },
  };
}

async function closeBoth(limitMs: number, { queue, worker }: Opened): Promise<void> {
  if (worker !== undefined) await closeWithin(limitMs, worker);
  await closeWithin(limitMs, queue);
}

/** Closes within a time limit, because BullMQ waits indefinitely for a dead server. */
async function closeWithin(limitMs: number, connected: JobQueue | JobWorker): Promise<void> {
  try {
    await within(limitMs, connected.close());
  } catch {
    await within(limitMs, connected.disconnect()).catch(() => undefined);
  }
}

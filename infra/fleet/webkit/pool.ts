import type { Logger } from 'pino';
import { FairQueue } from '../../platform/fair-queue.ts';
import type { Instance } from './instance.ts';
import type { StartFor, Starts } from './starts.ts';
import { firstSignal } from '../../platform/first-signal.ts';

type Pooled = Pick<Instance, 'alive' | 'onDeath' | 'close'>;

export interface PoolOptions<Browser extends Pooled> {
  /** Number of started browsers to keep. */
  readonly size: number;
  readonly start: () => Promise<Browser>;
  readonly starts: Starts;
  readonly logger: Logger;
}

/**
 * Browsers that are started before their sessions, so that a create only has to take one. Each create starts a
 * replacement, and takes the first browser that is ready in its account's turn. So an account that needs one browser
 * after many creates of other accounts need not wait for its own start.
 */
export class Pool<Browser extends Pooled> {
  readonly #options: PoolOptions<Browser>;
  readonly #waiting = new FairQueue<Browser>();
  /** Abort the creates that wait for a browser. */
  readonly #creates = new Set<AbortController>();
  readonly #starts = new Set<Promise<unknown>>();
  #filling: Promise<void> | undefined;
  #proving: Promise<void> | undefined;
  #closed = false;

  constructor(options: PoolOptions<Browser>) {
    this.#options = options;
  }

  /** Throws `OperationFailed` when the account's queue is full, and the signal's reason when that is aborted. */
  async take(of: StartFor): Promise<Browser> {
    const create = new AbortController();
    this.#creates.add(create);
    this.#start(of).then(
      () => this.#fill(),
      // If this create has taken a browser that was started for another one, that one still needs its own.
      (error: unknown) => (this.#creates.has(create) ? this.#fail(create, error) : this.#fill()),
    );
    const signals = [create.signal, ...(of.signal ? [of.signal] : [])];
    return this.#waiting.take(of.tenant, firstSignal(...signals)).finally(() => this.#creates.delete(create));
  }

  /**
   * Resolves once a browser has been started, even if none should be kept; rejects with the reason of a failure. The others are started
   * afterwards.
   */
  prove(): Promise<void> {
    return (this.#proving = this.#prove());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#filling, this.#proving, ...this.#starts]);
    await Promise.all(this.#waiting.drain().map((browser) => browser.close()));
  }

  get #wanted(): number {
    return this.#closed ? 0 : this.#options.size + this.#creates.size;
  }

  #start(of?: StartFor): Promise<unknown> {
    const { starts, start } = this.#options;
    const started: Promise<unknown> = starts(start, of).then(
      (browser) => {
        this.#starts.delete(started);
        return this.#put(browser);
      },
      (error: unknown) => {
        this.#starts.delete(started);
        throw error;
      },
    );
    this.#starts.add(started);
    return started;
  }

  #put(browser: Browser): unknown {
    if (!browser.alive || this.#waiting.size >= this.#wanted) return browser.close();
    const { logger } = this.#options;
    browser.onDeath(() => {
      if (!this.#waiting.withdraw(browser)) return;
      logger.warn('A waiting browser died.');
      const left = (error: unknown) =>
        logger.error({ err: error }, 'A browser was not cleaned up completely.');
      void browser
        .close()
        .catch(left)
        .then(() => this.#fill());
    });
    this.#waiting.put(browser);
  }

  #fail(create: AbortController, error: unknown): void {
    this.#creates.delete(create);
    create.abort(error);
  }

  #fill(): void {
    this.#filling ??= this.#refill().finally(() => void (this.#filling = undefined));
  }

  /** Starts the missing browsers one after the other, so that most of the machine is left to sessions. */
  async #refill(): Promise<void> {
    while (this.#waiting.size + this.#starts.size < this.#wanted)
      try {
        await this.#start();
      } catch (error) {
        this.#options.logger.error({ err: error }, 'A browser could not be started ahead.');
        const [create] = this.#creates;
        // The next create retries.
        if (!create) return;
        this.#fail(create, error);
      }
  }

  async #prove(): Promise<void> {
    await this.#filling;
    if (this.#waiting.size === 0) await this.#start();
    this.#fill();
  }
}

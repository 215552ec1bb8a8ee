import { ToolError } from './advice.ts';

/** Permits for the large reads of an account. */
export interface ReadPermits {
  /** Rejects with the signal's reason if it aborts before a permit is granted. */
  acquire(signal: AbortSignal): Promise<void>;
  release(): void;
}

/**
 * The read of a file, a capture or extracted data by one request. Its body and the answer are in memory as a whole, so it has a permit
 * of its account until the request has been answered, and a request has one such read at most.
 */
export class LargeRead {
  readonly #permits: ReadPermits;
  #granted: Promise<void> | undefined;

  constructor(permits: ReadPermits) {
    this.#permits = permits;
  }

  /**
   * Waits for a permit. Rejects with `ToolError` for a second read of the request, and with the signal's reason if it aborts before
   * the permit is granted.
   */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.#granted !== undefined)
      throw new ToolError(
        'A request reads one file or capture, or extracts data once.',
        'Send another request for this one.',
      );
    this.#granted = this.#permits.acquire(signal);
    await this.#granted;
  }

  /** Releases the permit. Called once the request has been answered. */
  end(): void {
    this.#granted?.then(
      () => this.#permits.release(),
      () => undefined,
    );
  }
}

import type { Clock } from '../../platform/clock.ts';
import { jsonOf, type DispatchOutcome } from './outcome-json.ts';

export interface DispatchMemoryOptions {
  readonly clock: Clock;
  /** Milliseconds for which a settled dispatch is remembered; must exceed any retry of the control plane. */
  readonly keepMs?: number;
  /** Maximal bytes of stored outcomes. Beyond it the oldest are dropped, but their dispatches are still not run again. */
  readonly maxBytes?: number;
}

interface Entry {
  /** As JSON. */
  outcome: Promise<string>;
  settledAt?: number;
  bytes: number;
}

const forgotten = jsonOf({
  outcome: 'failed',
  failure: {
    kind: 'page',
    category: 'unknown',
    reason: 'This dispatch has run already and its outcome is no longer kept.',
  },
});

/**
 * Runs each dispatch once. A repeat gets the first run's outcome, and waits for it if it is still running. Settled dispatches are kept
 * within limits of time and bytes.
 */
export class DispatchMemory {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #maxBytes: number;
  /** Settled ones are in the order of settling. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor({ clock, keepMs = 5 * 60_000, maxBytes = 64 * 1024 * 1024 }: DispatchMemoryOptions) {
    this.#clock = clock;
    this.#keepMs = keepMs;
    this.#maxBytes = maxBytes;
  }

  /** The outcome as JSON. */
  once(dispatchId: string, run: () => Promise<DispatchOutcome>): Promise<string> {
    this.#expire();
    const known = this.#entries.get(dispatchId);
    if (known) return known.outcome;
    const outcome = run().then(jsonOf);
    const entry: Entry = { outcome, bytes: 0 };
    this.#entries.set(dispatchId, entry);
    void outcome.then(
      ({ length }) => this.#settle(dispatchId, entry, length),
      () => this.#entries.delete(dispatchId),
    );
    return outcome;
  }

  #settle(dispatchId: string, entry: Entry, bytes: number): void {
    entry.settledAt = this.#clock.now().getTime();
    entry.bytes = bytes;
    this.#bytes += bytes;
    // Moved to the end, so that expiry and shrinking start with the oldest.
    this.#entries.delete(dispatchId);
    this.#entries.set(dispatchId, entry);
    this.#shrink();
  }

  #expire(): void {
    const keptSince = this.#clock.now().getTime() - this.#keepMs;
    for (const [id, entry] of this.#entries) {
      if (entry.settledAt === undefined) continue;
      if (entry.settledAt > keptSince) break;
      this.#bytes -= entry.bytes;
      this.#entries.delete(id);
    }
  }

  #shrink(): void {
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes) return;
      if (entry.bytes === 0) continue;
      this.#bytes -= entry.bytes;
      entry.bytes = 0;
      entry.outcome = Promise.resolve(forgotten);
    }
  }
}

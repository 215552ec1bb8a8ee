import type { Clock } from '../../platform/clock.ts';
import type { CreateOutcome, OperationOutcome } from '../../../contracts/fleet/protocol.ts';

export interface DispatchMemoryOptions {
  readonly clock: Clock;
  /** Milliseconds a settled dispatch is known; must be longer than any retry of the control plane. */
  readonly keepMs?: number;
  /** Bytes of outcomes kept. Past it the oldest outcomes are dropped, but that they ran is still known. */
  readonly maxBytes?: number;
}

type Outcome = CreateOutcome | OperationOutcome;

interface Entry {
  outcome: Promise<Outcome>;
  settledAt?: number;
  bytes: number;
}

/** Runs each dispatch once. A repeat gets the first run's outcome, and waits for it when it is still running. */
export interface DispatchMemory {
  once(dispatchId: string, run: () => Promise<Outcome>): Promise<Outcome>;
}

const forgotten: Outcome = {
  outcome: 'failed',
  failure: {
    kind: 'page',
    category: 'unknown',
    reason: 'This dispatch has run already and its outcome is no longer kept.',
  },
};

export function createDispatchMemory(options: DispatchMemoryOptions): DispatchMemory {
  const { clock } = options;
  const entries = new Map<string, Entry>();
  const settled = createSettled(entries, options);
  return {
    once: (dispatchId, run) => {
      settled.expire(clock.now());
      const known = entries.get(dispatchId);
      if (known) return known.outcome;
      const outcome = run();
      const entry: Entry = { outcome, bytes: 0 };
      entries.set(dispatchId, entry);
      void outcome.then(
        (value) => settled.add(dispatchId, entry, value, clock.now()),
        () => entries.delete(dispatchId),
      );
      return outcome;
    },
  };
}

/** Keeps what has settled within its time and its bytes; in `entries` it stands in the order in which it settled. */
function createSettled(
  entries: Map<string, Entry>,
  { keepMs = 5 * 60_000, maxBytes = 64 * 1024 * 1024 }: DispatchMemoryOptions,
) {
  let bytes = 0;
  const shrink = () => {
    for (const entry of entries.values()) {
      if (bytes <= maxBytes) return;
      if (entry.bytes === 0) continue;
      bytes -= entry.bytes;
      entry.bytes = 0;
      entry.outcome = Promise.resolve(forgotten);
    }
  };
  return {
    expire: (now: Date) => {
      const horizon = now.getTime() - keepMs;
      for (const [id, entry] of entries) {
        if (entry.settledAt === undefined) continue;
        if (entry.settledAt > horizon) break;
        bytes -= entry.bytes;
        entries.delete(id);
      }
    },
    add: (dispatchId: string, entry: Entry, outcome: Outcome, now: Date) => {
      entry.settledAt = now.getTime();
      entry.bytes = JSON.stringify(outcome).length;
      bytes += entry.bytes;
      // Behind everything settled before it, so that expiry and shrinking take the oldest first.
      entries.delete(dispatchId);
      entries.set(dispatchId, entry);
      shrink();
    },
  };
}

/**
 * Switches that make the server misbehave on purpose, for tests of what depends on it. A number counts how often: each
 * use takes one off, `Infinity` is for ever. All are off by default, and reachable only from inside the process or by its
 * command line.
 */
export interface Faults {
  /** Milliseconds every append waits before it is looked at. */
  appendDelayMs: number;
  /** Appends that get no answer and are not stored. */
  dropBeforeCommit: number;
  /** Appends that are stored and get no answer. */
  dropAfterCommit: number;
  /** Appends answered with "not the leader". */
  notLeader: number;
  /** Appends answered with a wrong expected revision though it was right. */
  wrongExpectedVersion: number;
  /** Milliseconds the server's clock is ahead when it judges an append's deadline. */
  clockAheadMs: number;
  /** Events, already delivered, that a subscription resuming after one of them sends again first. */
  duplicatesOnResume: number;
  /** Subscriptions that end, without an error, after `subscriptionEventsBeforeFault` events. */
  endSubscriptions: number;
  /** Subscriptions that say nothing more after `subscriptionEventsBeforeFault` events. */
  stallSubscriptions: number;
  subscriptionEventsBeforeFault: number;
  /** End a live subscription whose reader is too slow, with ABORTED, as EventStoreDB 23.10 does. */
  dropSlowSubscribers: boolean;
  /** Send "caught up" after each event of a subscription. */
  repeatCaughtUp: boolean;
  /** Send a checkpoint after each event of a subscription. */
  checkpointEachEvent: boolean;
  /** Send events whole that are larger than a client takes. */
  oversizedEvents: boolean;
  /** Accept connections but never speak on them. */
  withholdSettings: boolean;
}

export const noFaults = (): Faults => ({
  appendDelayMs: 0,
  dropBeforeCommit: 0,
  dropAfterCommit: 0,
  notLeader: 0,
  wrongExpectedVersion: 0,
  clockAheadMs: 0,
  duplicatesOnResume: 0,
  endSubscriptions: 0,
  stallSubscriptions: 0,
  subscriptionEventsBeforeFault: 0,
  dropSlowSubscribers: false,
  repeatCaughtUp: false,
  checkpointEachEvent: false,
  oversizedEvents: false,
  withholdSettings: false,
});

type Counted =
  | 'dropBeforeCommit'
  | 'dropAfterCommit'
  | 'notLeader'
  | 'wrongExpectedVersion'
  | 'endSubscriptions'
  | 'stallSubscriptions';

/** Uses up one of a counted fault. False when there is none left. */
export function take(faults: Faults, name: Counted): boolean {
  if (faults[name] <= 0) return false;
  faults[name] -= 1;
  return true;
}

/** @throws when the text is not a JSON object of known switches */
export function parseFaults(json: string): Partial<Faults> {
  const values: unknown = JSON.parse(json);
  if (typeof values !== 'object' || values === null) throw new Error('Faults are a JSON object.');
  const known: Readonly<Record<string, unknown>> = { ...noFaults() };
  for (const [name, value] of Object.entries(values)) {
    if (typeof known[name] !== typeof value)
      throw new Error(`'${name}' is no fault switch, or not of that type.`);
  }
  return values;
}

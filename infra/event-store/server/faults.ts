/**
 * Switches that make the server misbehave on purpose, for tests of what depends on it. A number counts how often: each
 * use takes one off, `Infinity` is for ever. All are off by default, and reachable only from inside the process.
 */
export const noFaults = () => ({
  /** Milliseconds every append waits before it is looked at. */
  appendDelayMs: 0,
  /** Milliseconds a filtered read searches each page of the log. */
  searchMs: 0,
  /** Appends that get no answer and are not stored. */
  dropBeforeCommit: 0,
  /** Type of event whose appends get no answer and are not stored, for ever; empty for none. */
  dropType: '',
  /** Appends that are stored and get no answer. */
  dropAfterCommit: 0,
  /** Appends answered with "not the leader". */
  notLeader: 0,
  /** Appends answered with a wrong expected revision though it was right. */
  wrongExpectedVersion: 0,
  /** Milliseconds the server's clock is ahead when it judges an append's deadline. */
  clockAheadMs: 0,
  /** Events, already delivered, that a subscription resuming after one of them sends again first. */
  duplicatesOnResume: 0,
  /** Subscriptions that end, without an error, after `subscriptionEventsBeforeFault` events. */
  endSubscriptions: 0,
  /** Subscriptions that say nothing more after `subscriptionEventsBeforeFault` events. */
  stallSubscriptions: 0,
  subscriptionEventsBeforeFault: 0,
  /** End a live subscription whose reader is too slow, with ABORTED, as EventStoreDB 23.10 does. */
  dropSlowSubscribers: false,
  /** Send "caught up" after each event of a subscription. */
  repeatCaughtUp: false,
  /** Send a checkpoint after each event of a subscription. */
  checkpointEachEvent: false,
  /** Send events whole that are larger than a client takes. */
  oversizedEvents: false,
  /** Accept connections but never speak on them. */
  withholdSettings: false,
});

export type Faults = ReturnType<typeof noFaults>;

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

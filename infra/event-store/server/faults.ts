/**
 * Injected faults, for tests of the server's clients. A number is a count: each use decrements it, `Infinity` is unlimited. All
 * are off by default, and accessible only within the process.
 */
export const noFaults = () => ({
  /** Delay of every append, in milliseconds. */
  appendDelayMs: 0,
  /** Duration of a filtered read's search per page of the log, in milliseconds. */
  searchMs: 0,
  /** Appends that get no answer and are not stored. */
  dropBeforeCommit: 0,
  /** Event type whose appends never get an answer and are not stored; empty for none. */
  dropType: '',
  /** Appends that are stored and get no answer. */
  dropAfterCommit: 0,
  /** Appends answered with "not the leader". */
  notLeader: 0,
  /** Appends answered with a wrong expected revision although it was right. */
  wrongExpectedVersion: 0,
  /** How far the server's clock is ahead in checks of an append's deadline, in milliseconds. */
  clockAheadMs: 0,
  /** Delivered events that are sent again when a subscription resumes. */
  duplicatesOnResume: 0,
  /** Subscriptions that end, without an error, after `subscriptionEventsBeforeFault` events. */
  endSubscriptions: 0,
  /** Subscriptions that stay silent after `subscriptionEventsBeforeFault` events. */
  stallSubscriptions: 0,
  subscriptionEventsBeforeFault: 0,
  /** Ends a live subscription whose reader is too slow, with ABORTED, like EventStoreDB 23.10. */
  dropSlowSubscribers: false,
  /** Sends "caught up" after each event of a subscription. */
  repeatCaughtUp: false,
  /** Sends a checkpoint after each event of a subscription. */
  checkpointEachEvent: false,
  /** Sends events that exceed a client's message limit. */
  oversizedEvents: false,
  /** Accepts connections but never sends anything on them. */
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

/** Decrements a counted fault. False if none is left. */
export function take(faults: Faults, name: Counted): boolean {
  if (faults[name] <= 0) return false;
  faults[name] -= 1;
  return true;
}

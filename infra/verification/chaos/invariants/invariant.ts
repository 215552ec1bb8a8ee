import type { Evidence } from '../evidence/types.ts';

export interface Violation {
  /** One sentence: what does not hold, and where. */
  readonly what: string;
  /** Requests it is about, for the history to be printed around. */
  readonly requests?: readonly string[];
  /** The stream it is about. */
  readonly stream?: string;
}

/** A sentence about every run, judged from what the run left behind. */
export interface Invariant {
  readonly id: string;
  readonly holds: string;
  /** How it is judged, for the docs. */
  readonly judged: string;
  readonly violations: (evidence: Evidence) => readonly Violation[];
}

import type { Evidence } from '../evidence/types.ts';

export interface Violation {
  /** What was violated and where, in one sentence. */
  readonly what: string;
  /** Ids of requests around which the report prints the history. */
  readonly requests?: readonly string[];
  /** Stream to print in the report. */
  readonly stream?: string;
}

/** A statement that must be true of every run, checked on its evidence. */
export interface Invariant {
  readonly id: string;
  readonly holds: string;
  /** How it is checked, for the docs. */
  readonly judged: string;
  readonly violations: (evidence: Evidence) => readonly Violation[];
}

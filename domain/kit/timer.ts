/** A due time that an event sets. */
export interface Timer {
  /** `<kind>-<subject id>`, the same here and in the read model of due times. */
  readonly id: string;
  /** ISO 8601. */
  readonly dueAt: string;
}

export type FailureCategory = 'element_not_found' | 'condition_not_met' | 'invalid_request' | 'scroll_failed';

/** What an operation ends with that did not succeed. Reasons name elements by tag, id, class and role, and quote no page. */
export class Failure extends Error {
  readonly kind: 'page' | 'timeout';
  readonly category: FailureCategory;

  constructor(kind: 'page' | 'timeout', category: FailureCategory, reason: string) {
    super(reason);
    this.kind = kind;
    this.category = category;
  }
}

/** The request can never be met, however long anybody waits. */
export const refusal = (reason: string): Failure => new Failure('page', 'invalid_request', reason);

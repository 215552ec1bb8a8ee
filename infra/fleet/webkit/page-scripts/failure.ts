export type FailureCategory =
  'element_not_found' | 'condition_not_met' | 'invalid_request' | 'scroll_failed' | 'result_too_large';

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

/** Characters that an answer may have as JSON: as many as a result of an operation may have bytes. */
const mostCharacters = 32 * 1024 * 1024;

/** The text, unless it is too long to be answered with. */
export function answerable(text: string): string {
  if (text.length > mostCharacters)
    throw new Failure('page', 'result_too_large', `The result is larger than ${mostCharacters} bytes.`);
  return text;
}

/** The request can never be met, however long anybody waits. */
export const refusal = (reason: string): Failure => new Failure('page', 'invalid_request', reason);

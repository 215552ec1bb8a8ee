export type FailureCategory =
  | 'element_not_found'
  | 'condition_not_met'
  | 'invalid_request'
  | 'scroll_failed'
  | 'result_too_large';

/** Failure of an operation. Reasons name elements by tag, id, class and role, and quote no page. */
export class Failure extends Error {
  readonly kind: 'page' | 'timeout';
  readonly category: FailureCategory;

  constructor(kind: 'page' | 'timeout', category: FailureCategory, reason: string) {
    super(reason);
    this.kind = kind;
    this.category = category;
  }
}

/** Maximal length of a result as JSON, in characters; the limit of results is as many bytes. */
const mostCharacters = 32 * 1024 * 1024;

/** Returns the text, or throws if it is too long for a result. */
export function answerable(text: string): string {
  if (text.length > mostCharacters)
    throw new Failure('page', 'result_too_large', `The result is larger than ${mostCharacters} bytes.`);
  return text;
}

/** The request can never succeed, so there is no retry. */
export const refusal = (reason: string): Failure => new Failure('page', 'invalid_request', reason);

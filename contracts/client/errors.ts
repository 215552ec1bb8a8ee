import type { HttpResponse } from './options.ts';
import type { ProblemExtensions, ProblemSlug } from './generated/problem-types.ts';

/** Facts about a failed call. */
export interface FailureFacts {
  /** The name of the error's class. */
  readonly name?: string | undefined;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The problem's type, a URL that ends with its slug. Empty without a problem. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Request id for support by the operator. Empty for a read without an answer. */
  readonly requestId: string;
  /** Seconds to wait before a retry, if given by the service. */
  readonly retryAfter?: number | undefined;
  /** The problem's body, with members beyond RFC 9457. */
  readonly problem?: Readonly<Record<string, unknown>> | undefined;
  readonly response?: HttpResponse | undefined;
  readonly cause?: unknown;
}

/** A failed call. Its subclasses are the types of problems, `ConnectionFailed` and `UnknownOutcome`. */
export class ServiceError extends Error {
  readonly status: number;
  readonly type: string;
  /** The last part of the type. */
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
  readonly retryAfter: number | undefined;
  readonly problem: Readonly<Record<string, unknown>>;
  readonly response: HttpResponse | undefined;
  /** The key of a call that may have taken effect: repeating the call with it has its effect at most once. */
  declare readonly idempotencyKey?: string | undefined;

  constructor(facts: FailureFacts) {
    super(facts.detail || facts.title, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = facts.name ?? 'ServiceError';
    this.status = facts.status;
    this.type = facts.type;
    this.slug = slugOf(facts.type);
    this.title = facts.title;
    this.detail = facts.detail;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.problem = facts.problem ?? {};
    // Not enumerable: logs of an error should not contain the answer's headers.
    Object.defineProperty(this, 'response', { value: facts.response });
    for (const [name, value] of Object.entries(this.problem)) {
      const property = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      if (!(property in this)) Object.defineProperty(this, property, { value, enumerable: true });
    }
  }

  /** Narrows to this problem, with its further fields. */
  is<S extends ProblemSlug>(slug: S): this is this & { readonly slug: S } & ProblemExtensions[S] {
    return this.slug === slug;
  }
}

export const slugOf = (type: string): string => type.slice(type.lastIndexOf('/') + 1);

/** No answer, and no effect: it was a read, or the request was not sent. */
export class ConnectionFailed extends ServiceError {
  declare readonly status: 0;

  constructor(facts: FailureFacts) {
    super(facts);
    this.name = 'ConnectionFailed';
  }
}

/**
 * The request was sent, and whether it took effect is unknown: the connection broke, or the answer does not say. It was not
 * retried. `ask` says how to find out.
 */
export class UnknownOutcome extends ServiceError {
  /** How to find out. */
  readonly ask: string;

  constructor(facts: FailureFacts & { readonly ask: string }) {
    super({ ...facts, detail: `${facts.detail} It is unknown whether it took effect. ${facts.ask}` });
    this.name = 'UnknownOutcome';
    this.ask = facts.ask;
  }
}

/** The call was aborted by its `signal`. */
export class AbortError extends Error {
  constructor(reason: unknown) {
    super('The call was aborted.', { cause: reason });
    this.name = 'AbortError';
  }
}

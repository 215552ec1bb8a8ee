import type { ServerResponse } from 'node:http';
import type { Traceparent } from './traceparent.ts';

export { traceHeaders, type Traceparent } from './traceparent.ts';

/**
 * Attributes of a span: counts, hosts, and values of closed sets, named by OpenTelemetry's semantic conventions where possible.
 * No texts or ids of customers, and no URLs beyond the host.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  readonly name: string;
  /** `client`: waits for another process, `consumer`: follows from an event. Default: internal. */
  readonly kind?: 'client' | 'consumer';
  readonly attributes?: Attributes;
}

/** A running span. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Marks a failure without an exception. `type`: of a closed set, such as a class of errors or a status. */
  fail(type: string): void;
}

/** A request answered by this process. */
export interface TracedRequest {
  readonly method: string;
  /** Of the sending process of the service. */
  readonly parent: Traceparent | undefined;
  /** The pattern of its path, once the request is answered; undefined if none matched. */
  readonly route: () => string | undefined;
  /** Fields of all its log lines. */
  readonly about?: () => LogFields;
}

export type LogFields = Readonly<Record<string, string | undefined>>;

/** Records spans. */
export interface Tracing {
  inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  following<T>(
    causes: readonly (Traceparent | undefined)[],
    start: SpanStart,
    work: () => Promise<T>,
  ): Promise<T>;
  serving(response: ServerResponse, request: TracedRequest, work: () => void): void;
  traceparent(): Traceparent | undefined;
  logFields(): LogFields;
}

/** Undefined without tracing: the functions below then only call the work. */
let tracing: Tracing | undefined;

/** Enables tracing in this process. */
export const traceWith = (chosen: Tracing | undefined): void => {
  tracing = chosen;
};

const unrecorded: OpenSpan = { set: () => undefined, fail: () => undefined };

/** A step of the present trace, from the call until the work settles. Without a trace there is no span. */
export const inSpan = <T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> =>
  tracing === undefined ? work(unrecorded) : tracing.inSpan(start, work);

/**
 * A separate trace, with links to its causes, at most 32: for work that comes later, or has many causes. Its span starts with its
 * first step; work that has nothing to do leaves no trace.
 */
export const following = <T>(
  causes: readonly (Traceparent | undefined)[],
  start: SpanStart,
  work: () => Promise<T>,
): Promise<T> => (tracing === undefined ? work() : tracing.following(causes, start, work));

/** A request, from now until its answer has ended. */
export const serving = (response: ServerResponse, request: TracedRequest, work: () => void): void =>
  tracing === undefined ? work() : tracing.serving(response, request, work);

/** Of the present span; for events, whose effects link to it, and for calls of other processes. */
export const traceparent = (): Traceparent | undefined => tracing?.traceparent();

/** The same as headers for a call of another process. */
export function traceHeader(): Readonly<Record<string, string>> {
  const here = traceparent();
  return here === undefined ? {} : { traceparent: here };
}

/** Trace fields of a log line. */
export const logFields = (): LogFields => tracing?.logFields() ?? {};

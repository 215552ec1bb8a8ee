import type { ServerResponse } from 'node:http';
import type { Traceparent } from './traceparent.ts';

export { traceHeaders, type Traceparent } from './traceparent.ts';

/**
 * What a span says beside its name: counts, hosts, and words of closed sets, named by OpenTelemetry's semantic conventions where
 * these have a name. Nothing that a customer wrote, no id of one, and no address beyond a host.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  readonly name: string;
  /** `client` waits for somebody else, `consumer` follows from an event. By default it is a part of what this process does. */
  readonly kind?: 'client' | 'consumer';
  readonly attributes?: Attributes;
}

/** A span under way. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** It ended badly, though nothing was thrown. `type` is of a closed set: a class of errors, a status. */
  fail(type: string): void;
}

/** A request that this process answers. */
export interface ServedRequest {
  readonly method: string;
  /** Of the process of ours that sent it. */
  readonly parent: Traceparent | undefined;
  /** The form of its path, once the request is answered; undefined when none matched. */
  readonly route: () => string | undefined;
  /** What every log line of it has. */
  readonly about?: () => LogFields;
}

export type LogFields = Readonly<Record<string, string | undefined>>;

/** What records spans. */
export interface Tracing {
  inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  following<T>(
    causes: readonly (Traceparent | undefined)[],
    start: SpanStart,
    work: () => Promise<T>,
  ): Promise<T>;
  serving(response: ServerResponse, request: ServedRequest, work: () => void): void;
  traceparent(): Traceparent | undefined;
  logFields(): LogFields;
}

/** Undefined unless it is switched on: then all below is a call of the work, and nothing else. */
let tracing: Tracing | undefined;

/** For all of this process, from here on. */
export const traceWith = (chosen: Tracing | undefined): void => {
  tracing = chosen;
};

const unrecorded: OpenSpan = { set: () => undefined, fail: () => undefined };

/** A step of what is being traced, from the call until the work settles. Where nothing is traced there is no span. */
export const inSpan = <T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> =>
  tracing === undefined ? work(unrecorded) : tracing.inSpan(start, work);

/**
 * A trace of its own, with links to what it follows from, the first 32: work that comes later, or of many causes. It has a span as
 * soon as a step of it has one; work that turns out to have nothing to do leaves no trace.
 */
export const following = <T>(
  causes: readonly (Traceparent | undefined)[],
  start: SpanStart,
  work: () => Promise<T>,
): Promise<T> => (tracing === undefined ? work() : tracing.following(causes, start, work));

/** A request, from here until its answer has ended. */
export const serving = (response: ServerResponse, request: ServedRequest, work: () => void): void =>
  tracing === undefined ? work() : tracing.serving(response, request, work);

/** Of the span in which it is asked; for events, whose effects link to it, and for calls of our own processes. */
export const traceparent = (): Traceparent | undefined => tracing?.traceparent();

/** The same as headers of a call to a process of ours. */
export function traceHeader(): Readonly<Record<string, string>> {
  const here = traceparent();
  return here === undefined ? {} : { traceparent: here };
}

/** What a log line says of where it was written. */
export const logFields = (): LogFields => tracing?.logFields() ?? {};

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { Refusal } from '../../contracts/problems.ts';
import type { LogFields, OpenSpan, TracedRequest, SpanStart, Tracing } from './index.ts';
import {
  isSampled,
  parseTraceparent,
  traceparentOf,
  type SpanPlace,
  type Traceparent,
} from './traceparent.ts';

/** The position of a step in its trace. */
interface Place {
  /** The context with the span; for work with causes it is started on first use. */
  readonly context: () => Context;
  readonly about?: (() => LogFields) | undefined;
}

/** Maximum links of a span: for a batch with more causes the first ones suffice. */
const mostLinks = 32;

const kinds = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** Records spans by an OpenTelemetry tracer, and propagates the present one. */
export class Recorder implements Tracing {
  readonly #places = new AsyncLocalStorage<Place>();
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const place = this.#places.getStore();
    if (place === undefined) return work(noSpan);
    const from = place.context();
    const span = this.#begin(start, from);
    const context = trace.setSpan(from, span);
    return this.#places.run({ context: () => context, about: place.about }, () =>
      settled(
        () => work(openSpan(span)),
        (error) => end(span, error),
      ),
    );
  }

  following<T>(
    causes: readonly (Traceparent | undefined)[],
    start: SpanStart,
    work: () => Promise<T>,
  ): Promise<T> {
    const startTime = new Date();
    const root = new LazySpan(() => this.#begin(start, ROOT_CONTEXT, { startTime, links: linksTo(causes) }));
    return this.#places.run({ context: () => root.context() }, () =>
      settled(work, (error) => root.end(error)),
    );
  }

  serving(response: ServerResponse, request: TracedRequest, work: () => void): void {
    const { method, parent, about } = request;
    const from = contextAt(parent);
    const attributes = { 'http.request.method': method };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, from);
    response.once('close', () => endServed(span, request, response));
    const context = trace.setSpan(from, span);
    this.#places.run({ context: () => context, about }, work);
  }

  traceparent(): Traceparent | undefined {
    const place = this.#here();
    return place && traceparentOf(place);
  }

  logFields(): LogFields {
    const place = this.#places.getStore();
    return place === undefined ? {} : { trace_id: this.#here()?.traceId, ...place.about?.() };
  }

  #here(): SpanPlace | undefined {
    const context = this.#places.getStore()?.context();
    return context && trace.getSpanContext(context);
  }

  #begin({ name, kind, attributes = {} }: SpanStart, from: Context, more: SpanOptions = {}): Span {
    const options = { ...more, attributes, kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind] };
    return this.#tracer.startSpan(name, options, from);
  }
}

/** The first span of a trace, started on first use. A late user, which was not awaited, finds it ended. */
class LazySpan {
  readonly #begin: () => Span;
  #begun: { readonly span: Span; readonly context: Context } | undefined;
  #isOver = false;

  constructor(begin: () => Span) {
    this.#begin = begin;
  }

  context(): Context {
    if (this.#begun === undefined) {
      const span = this.#begin();
      this.#begun = { span, context: trace.setSpan(ROOT_CONTEXT, span) };
      if (this.#isOver) span.end();
    }
    return this.#begun.context;
  }

  end(error: unknown): void {
    this.#isOver = true;
    if (this.#begun !== undefined) end(this.#begun.span, error);
  }
}

const noSpan: OpenSpan = { set: () => undefined, fail: () => undefined };

const openSpan = (span: Span): OpenSpan => ({
  set: (attributes) => void span.setAttributes(attributes),
  fail: (type) => fail(span, type),
});

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The class of an error, never its message, which may contain a customer's words. A refusal is an answer, not a failure. */
function end(span: Span, error: unknown): void {
  if (error instanceof Refusal) span.setAttribute('error.type', error.slug);
  else if (error !== undefined) fail(span, error instanceof Error ? error.name : 'thrown');
  span.end();
}

/** Starts the work at once, and calls back with its error, or undefined, once it has settled. */
async function settled<T>(work: () => Promise<T>, after: (error: unknown) => void): Promise<T> {
  try {
    const result = await work();
    after(undefined);
    return result;
  } catch (error) {
    after(error);
    throw error;
  }
}

function endServed(span: Span, { method, route }: TracedRequest, response: ServerResponse): void {
  const path = route();
  const { statusCode, writableFinished } = response;
  if (path !== undefined) span.updateName(`${method} ${path}`).setAttribute('http.route', path);
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode >= 500) fail(span, String(statusCode));
  else if (!writableFinished) span.setAttribute('error.type', 'client_gone');
  span.end();
}

function contextAt(parent: Traceparent | undefined): Context {
  const place = parseTraceparent(parent);
  return place === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...place, isRemote: true });
}

/** Sampled ones first, if there are more than the maximum: they decide whether this trace is sampled. */
const linksTo = (causes: readonly (Traceparent | undefined)[]): Link[] =>
  [...new Set(causes)]
    .flatMap((cause) => parseTraceparent(cause) ?? [])
    .toSorted((a, b) => Number(isSampled(b)) - Number(isSampled(a)))
    .slice(0, mostLinks)
    .map((context) => ({ context }));

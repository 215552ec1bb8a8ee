import { SpanStatusCode, trace, type Context, type Link } from '@opentelemetry/api';
import {
  SamplingDecision,
  type ReadableSpan,
  type Sampler,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { isSampled } from './traceparent.ts';

/**
 * Head sampling: decided once, where a trace starts, and inherited by its parts and by traces that link to it, so that all
 * effects of a sampled request are included. Every span is recorded, because failures are known only at the end.
 */
export const headSampler = (ratio: number): Sampler => ({
  shouldSample: (context, traceId, _name, _kind, _attributes, links) => ({
    decision: isChosen(ratio, context, traceId, links)
      ? SamplingDecision.RECORD_AND_SAMPLED
      : SamplingDecision.RECORD,
  }),
  toString: () => `head ${ratio}`,
});

function isChosen(ratio: number, context: Context, traceId: string, links: readonly Link[]): boolean {
  const parent = trace.getSpanContext(context);
  if (parent !== undefined) return isSampled(parent);
  if (links.length > 0) return links.some((link) => isSampled(link.context));
  return Number.parseInt(traceId.slice(0, 8), 16) < ratio * 2 ** 32;
}

/** Spans of one trace kept until it is known whether one of them has failed. */
const mostKept = 64;

interface Held {
  readonly ended: ReadableSpan[];
  open: number;
  hasFailed: boolean;
}

/** Exports sampled spans and, of unsampled traces, this process's spans if one of them failed. */
export class ErrorsAlways implements SpanProcessor {
  readonly #next: SpanProcessor;
  readonly #held = new Map<string, Held>();

  constructor(next: SpanProcessor) {
    this.#next = next;
  }

  onStart(span: Span): void {
    if (isSampled(span.spanContext())) return;
    const { traceId } = span.spanContext();
    const held = this.#held.get(traceId) ?? { ended: [], open: 0, hasFailed: false };
    held.open += 1;
    this.#held.set(traceId, held);
  }

  onEnd(span: ReadableSpan): void {
    if (isSampled(span.spanContext())) return this.#next.onEnd(span);
    const { traceId } = span.spanContext();
    const held = this.#held.get(traceId);
    if (held === undefined) return;
    held.open -= 1;
    held.hasFailed ||= span.status.code === SpanStatusCode.ERROR;
    if (held.ended.length < mostKept || held.open === 0) held.ended.push(span);
    if (held.open > 0) return;
    this.#held.delete(traceId);
    if (held.hasFailed) for (const each of held.ended) this.#next.onEnd(asSampled(each));
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    this.#held.clear();
    return this.#next.shutdown();
  }
}

/** The same span, marked as sampled for exporters. */
function asSampled(span: ReadableSpan): ReadableSpan {
  const place = { ...span.spanContext(), traceFlags: 1 };
  return Object.create(span, { spanContext: { value: () => place } }) as ReadableSpan;
}

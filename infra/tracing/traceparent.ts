/** The header of W3C Trace Context (version 00): two random ids, and whether the trace is sampled. */
export type Traceparent = string;

export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  /** Bit 1: sampled. */
  readonly traceFlags: number;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for an invalid text. */
export function parseTraceparent(text: unknown): SpanPlace | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanPlace): Traceparent =>
  `00-${traceId}-${spanId}-${isSampled({ traceFlags }) ? '01' : '00'}`;

export const isSampled = ({ traceFlags }: Pick<SpanPlace, 'traceFlags'>): boolean => (traceFlags & 1) === 1;

/** Headers of trace contexts (W3C Trace Context and Baggage), ignored from clients. */
export const traceHeaders = ['traceparent', 'tracestate', 'baggage'] as const;

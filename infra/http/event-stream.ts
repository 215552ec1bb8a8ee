import type { RequestFacts } from './types.ts';

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const eventStreamType = 'text/event-stream';

/** Prevents proxies from buffering, compressing or caching a stream. */
export const eventStreamHeaders = {
  'Content-Type': eventStreamType,
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Interval of a stream's heartbeats in milliseconds: well below proxies' idle timeouts. */
export const heartbeatMs = 15_000;

/** True if `Accept` includes the stream and does not prefer JSON (RFC 9110, 12.5.1). */
export function acceptsEventStream({ header }: Pick<RequestFacts, 'header'>): boolean {
  const weights = new Map(
    (header('accept') ?? '').split(',').map((range): [string, number] => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [type, Number(weight)];
    }),
  );
  const stream = weights.get(eventStreamType) ?? 0;
  return stream > 0 && stream >= (weights.get('application/json') ?? 0);
}

/** A comment, ignored by clients. `text` is one line. */
export const comment = (text: string): string => `: ${text}\n\n`;

export const streamOpened = comment('stream open');
export const heartbeat = (at: Date): string => comment(`heartbeat ${at.toISOString()}`);
/** How long a client waits before it reconnects. */
export const reconnectAfter = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

interface Frame {
  readonly event: string;
  /** The id that a reconnecting client sends as `Last-Event-ID`. One line. */
  readonly id?: string;
  /** Sent as JSON, which has no line breaks. */
  readonly data: unknown;
}

export const frame = ({ event, id, data }: Frame): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

import type { AttemptError, AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import { OutboundRefused } from '../outbound/guard.ts';
import type { Clock } from '../platform/clock.ts';
import { within } from '../platform/timeout.ts';
import { exchange, type Exchanged, type Order } from './exchange.ts';
import { headersOf } from './headers.ts';
import { createReceiverPools, type ReceiverPools } from './receiver-pools.ts';
import { signatureHeader } from './signature.ts';
import type { ResolvedTarget, WebhookTarget } from './target.ts';

/** The request of an attempt. */
export interface WebhookMessage {
  readonly url: string;
  /** The sent and signed bytes. */
  readonly body: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The present secrets, each of which signs. */
  readonly secrets: readonly string[];
}

export type SendResult =
  | { readonly outcome: 'succeeded'; readonly responseStatus: number }
  | {
      readonly outcome: 'failed';
      readonly responseStatus: number | null;
      readonly error: AttemptError | null;
    };

/** The outcome of an attempt, with only the status of the receiver's answer. */
export interface Sent {
  readonly result: SendResult;
  readonly timings: AttemptTimings;
}

/** Sends a message once. */
export interface Sender {
  /** Never rejects because of the receiver, and never exceeds the sender's limit. */
  send(message: WebhookMessage): Promise<Sent>;
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly target: WebhookTarget;
  readonly clock: Clock;
  /** Total timeout of look-up, connection and answer including its body, in milliseconds. */
  readonly timeoutMs: number;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

/** Follows no redirects, uses no proxy, and connects to the addresses that were just checked. */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs, ca } = options;
  const pools = createReceiverPools({ connectTimeoutMs: timeoutMs, ...(ca !== undefined && { ca }) });
  return {
    send: (message) => attempt(options, pools, message),
    close: () => pools.close(),
  };
}

async function attempt(
  { target, clock, timeoutMs }: SenderOptions,
  pools: ReceiverPools,
  message: WebhookMessage,
): Promise<Sent> {
  const begunAt = performance.now();
  const resolved = await resolveWithin(target, message.url, timeoutMs);
  const resolveMs = since(begunAt);
  if (typeof resolved === 'string') {
    const timings = { resolveMs, connectMs: null, firstByteMs: null, totalMs: resolveMs };
    return { result: { outcome: 'failed', responseStatus: null, error: resolved }, timings };
  }
  const { url, addresses } = resolved;
  const post = () => {
    const leftMs = timeoutMs - (performance.now() - begunAt);
    return exchange(pools.at(url, addresses), orderOf(message, url, clock.now()), leftMs);
  };
  const first = await post();
  const { end, connectMs, firstByteMs } = first.wasStale ? await post() : first;
  return { result: resultOf(end), timings: { resolveMs, connectMs, firstByteMs, totalMs: since(begunAt) } };
}

const since = (begunAt: number): number => Math.round(performance.now() - begunAt);

/** The addresses to dial, or the failure. A look-up cannot be aborted; its result is ignored. */
const resolveWithin = (
  target: WebhookTarget,
  url: string,
  limitMs: number,
): Promise<ResolvedTarget | AttemptError> =>
  within(limitMs, target.resolve(url), () => new LookUpTimeout()).catch((error: unknown) => {
    if (error instanceof LookUpTimeout) return 'timeout';
    return error instanceof OutboundRefused ? 'address_not_allowed' : 'dns_failure';
  });

class LookUpTimeout extends Error {}

function orderOf(message: WebhookMessage, url: URL, at: Date): Order {
  const body = Buffer.from(message.body);
  const headers = headersOf(message, signatureHeader(body, message.secrets, at)).flat();
  return { path: `${url.pathname}${url.search}`, headers, body };
}

function resultOf(end: Exchanged['end']): SendResult {
  if ('error' in end) return { outcome: 'failed', responseStatus: null, error: end.error };
  const { status } = end;
  return status >= 200 && status <= 299
    ? { outcome: 'succeeded', responseStatus: status }
    : { outcome: 'failed', responseStatus: status, error: null };
}

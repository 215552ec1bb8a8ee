import type { Connection } from './connection.ts';
import { webhooks as operations, type WebhooksOperations } from './generated/areas.ts';
import type { WebhookEnvelope } from './generated/types.ts';
import { hmacSha256, joined } from './sha256.ts';

/** A message received by an endpoint. */
export interface ReceivedWebhook {
  /** The raw body, or its text, before it is parsed. */
  readonly body: Uint8Array | string;
  /** The header `X-Service-Signature`. */
  readonly signature: string | readonly string[] | null | undefined;
  /** The endpoint's secret, with `whsec_`; several during a rotation. */
  readonly secret: string | readonly string[];
  /** Maximum difference between the signature's time and now, in seconds; default 300. */
  readonly toleranceSeconds?: number | undefined;
  readonly now?: Date | undefined;
}

export type WebhookVerificationReason =
  | 'malformed_header'
  | 'no_matching_signature'
  | 'too_old'
  | 'too_far_ahead'
  | 'malformed_body';

/** The message must not be processed: answer with 400. `reason` is for the receiver's own log. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

export interface WebhooksArea extends WebhooksOperations {
  /**
   * The envelope of a message signed by one of the secrets, within the tolerance. Throws `WebhookVerificationError`, and
   * `TypeError` for a wrong call: no secret, or a parsed body.
   */
  verify(message: ReceivedWebhook): WebhookEnvelope;
}

/** Endpoints, their deliveries, and the verification of received messages. */
export const webhooks = (connection: Connection): WebhooksArea => ({
  ...operations(connection),
  verify: verifyWebhook,
});

/** The same as `service/webhooks`, with the same results, on every platform. */
export function verifyWebhook({
  body,
  signature,
  secret,
  toleranceSeconds = 300,
  now = new Date(),
}: ReceivedWebhook): WebhookEnvelope {
  const bytes = bytesOf(body);
  const keys = keysOf(secret);
  const at = Math.floor(now.getTime() / 1000);
  if (!(toleranceSeconds >= 0) || Number.isNaN(at)) throw new TypeError('Give a tolerance and a time.');
  const { timestamp, signatures } = parseHeader(signature);
  const signed = joined(utf8(`${timestamp}.`), bytes);
  const matches = keys.flatMap((key) => {
    const expected = hexOf(hmacSha256(key, signed));
    return signatures.filter((given) => isEqual(given.toLowerCase(), expected));
  });
  if (matches.length === 0) throw failed('no_matching_signature', 'No signature matches a secret.');
  const age = at - Number(timestamp);
  if (age > toleranceSeconds) throw failed('too_old', `The message was signed ${age} seconds ago.`);
  if (-age > toleranceSeconds) throw failed('too_far_ahead', `The message was signed ${-age} seconds ahead.`);
  return envelopeIn(bytes);
}

const failed = (reason: WebhookVerificationReason, message: string, options?: { cause: unknown }) =>
  new WebhookVerificationError(reason, message, options);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('Give the raw body, as bytes or text, before it is parsed.');
}

/** Throws for an empty key, such as an unset variable: it would accept forgeries. */
function keysOf(secret: string | readonly string[]): readonly Uint8Array[] {
  const secrets: readonly unknown[] = typeof secret === 'string' ? [secret] : secret;
  const isUsable = (text: unknown): text is string => typeof text === 'string' && text !== '';
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(isUsable)) return secrets.map(utf8);
  throw new TypeError('Give the secret of the endpoint, or several.');
}

/** Parses a header with one `t`, whose digits were signed, and any number of `v1`. Ignores unknown schemes. */
function parseHeader(header: unknown): { timestamp: string; signatures: readonly string[] } {
  const malformed = () => failed('malformed_header', 'The signature header is not t=<seconds>,v1=<hex>.');
  if (typeof header !== 'string') throw malformed();
  const parts = header.split(',').map((part) => /^[ \t]*([^= \t]+)=([^ \t]*)[ \t]*$/.exec(part));
  if (parts.includes(null)) throw malformed();
  const valuesOf = (wanted: string) => parts.flatMap((part) => (part?.[1] === wanted ? [part[2] ?? ''] : []));
  const [timestamp = '', ...others] = valuesOf('t');
  if (others.length > 0 || !/^[0-9]{1,12}$/.test(timestamp)) throw malformed();
  return { timestamp, signatures: valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/i.test(value)) };
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Constant-time comparison; both are 64 characters. */
function isEqual(one: string, other: string): boolean {
  let difference = 0;
  for (let index = 0; index < other.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function envelopeIn(bytes: Uint8Array): WebhookEnvelope {
  const malformed = (cause?: unknown) =>
    failed('malformed_body', 'The body is not an envelope.', cause === undefined ? undefined : { cause });
  let envelope: unknown;
  try {
    envelope = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw malformed(cause);
  }
  const { id, type } = Object(envelope) as Readonly<Record<'id' | 'type', unknown>>;
  if (typeof id !== 'string' || typeof type !== 'string') throw malformed();
  return envelope as WebhookEnvelope;
}

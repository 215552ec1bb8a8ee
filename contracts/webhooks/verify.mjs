import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * `service/webhooks`: how a receiver verifies that a message is from the service. Plain JavaScript without
 * dependencies, so that it runs wherever Node does; its types are in `verify.d.mts`, and `vectors.json` has test
 * vectors for implementations in other languages.
 */

/** The message is not one to act on: answer it with 400. `reason` says why, for the receiver's own log. */
export class WebhookVerificationError extends Error {
  constructor(reason, message, options) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/**
 * The envelope of a message that one of the secrets has signed, within the tolerance. Throws `WebhookVerificationError` when
 * it is not that, and `TypeError` when the call itself is wrong: no secret, or a body that was parsed already.
 *
 * `body` is what came over the wire, byte for byte: parsing it and writing it out again changes what was signed.
 * `signature` is the header `X-Service-Signature`. Give both secrets while you change over to a new one. What is replayed
 * is signed anew, so its age is that of the sending; drop what you have seen by its `id`.
 */
export function verifyWebhook({ body, signature, secret, toleranceSeconds = 300, now = new Date() }) {
  const bytes = bytesOf(body);
  const secrets = secretsOf(secret);
  const at = Math.floor(now.getTime() / 1000);
  if (!(toleranceSeconds >= 0) || Number.isNaN(at)) throw new TypeError('Give a tolerance and a time.');
  const { timestamp, signatures } = parseHeader(signature);
  if (!isSigned(bytes, timestamp, signatures, secrets)) {
    throw new WebhookVerificationError('no_matching_signature', 'No signature matches a secret.');
  }
  const age = at - Number(timestamp);
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError('too_old', `The message was signed ${age} seconds ago.`);
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError('too_far_ahead', `The message was signed ${-age} seconds ahead.`);
  }
  return parseEnvelope(bytes);
}

/** An empty key would make every forger right, so that a variable which is not set must not become one. */
function secretsOf(secret) {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isUsable = (text) => typeof text === 'string' && text !== '';
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(isUsable)) return secrets;
  throw new TypeError('Give the secret of the endpoint, or several.');
}

function bytesOf(body) {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  throw new TypeError('Give the raw body, as bytes or text, before it is parsed.');
}

const malformedHeader = () =>
  new WebhookVerificationError('malformed_header', 'The signature header is not t=<seconds>,v1=<hex>.');

/** Parses a header with one `t`, whose digits were signed, and any number of `v1`. Ignores unknown schemes. */
function parseHeader(header) {
  if (typeof header !== 'string') throw malformedHeader();
  const parts = header.split(',').map((part) => /^[ \t]*([^= \t]+)=([^ \t]*)[ \t]*$/.exec(part));
  if (parts.includes(null)) throw malformedHeader();
  const valuesOf = (wanted) => parts.flatMap(([, scheme, value]) => (scheme === wanted ? [value] : []));
  const [timestamp, ...others] = valuesOf('t');
  if (others.length > 0 || !/^[0-9]{1,12}$/.test(timestamp ?? '')) throw malformedHeader();
  return { timestamp, signatures: valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/i.test(value)) };
}

/** Compares every signature with every secret's, each in constant time. */
function isSigned(bytes, timestamp, signatures, secrets) {
  const given = signatures.map((signature) => Buffer.from(signature, 'hex'));
  const matches = secrets.flatMap((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest();
    return given.filter((signature) => timingSafeEqual(signature, expected));
  });
  return matches.length > 0;
}

function parseEnvelope(bytes) {
  const malformed = (options) =>
    new WebhookVerificationError('malformed_body', 'The body is not an envelope.', options);
  let envelope;
  try {
    envelope = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw malformed({ cause });
  }
  if (typeof envelope?.id !== 'string' || typeof envelope.type !== 'string') throw malformed();
  return envelope;
}

import { parseId, type OrderId } from '../../contracts/ids.ts';
import { fieldsOf, parseExactJson, textIn, type ExactJson } from './exact-json.ts';
import { isSignature, isSigned } from './signature.ts';

/** The subject of a callback. Its amounts are not used: the processor is queried for them. */
export interface CryptoCallback {
  readonly paymentId: string;
  /** Null: no order of ours. */
  readonly orderId: OrderId | null;
  readonly status: string;
}

/** Parses a callback with a valid signature; undefined for any other. */
export function readCallback(bytes: Buffer, signature: string, secret: string): CryptoCallback | undefined {
  const body = isSignature(signature) ? jsonOf(bytes) : undefined;
  if (body === undefined || !isSigned(body, signature, secret)) return undefined;
  const { payment_id, order_id, payment_status } = fieldsOf(body);
  const paymentId = textIn(payment_id);
  if (paymentId === undefined) return undefined;
  const orderId = parseId('order', textIn(order_id) ?? '') ?? null;
  return { paymentId, orderId, status: textIn(payment_status) ?? 'unknown' };
}

function jsonOf(bytes: Buffer): ExactJson | undefined {
  try {
    return parseExactJson(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

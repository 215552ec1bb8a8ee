import { request } from 'undici';
import { decimalText, parseDecimal, type Decimal } from '../../contracts/decimal.ts';
import { processorStatusOf, type ProcessorPayment } from '../../contracts/processor-payment.ts';
import { readAtMost } from '../platform/read-at-most.ts';
import { fieldsOf, parseExactJson, textIn, type ExactJson } from './exact-json.ts';
import {
  PaymentsRefused,
  PaymentsUnavailable,
  paymentsTimeoutMs,
  type CryptoPayments,
  type PaymentOrder,
} from './port.ts';

export interface NowPaymentsOptions {
  /** Base URL; `/v1/…` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** URL for callbacks; undefined: as in the processor's settings. */
  readonly callbackUrl: string | undefined;
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs?: number;
}

interface Asked {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Answered {
  readonly status: number;
  readonly body: ExactJson;
}
type Ask = (method: 'GET' | 'POST', path: string, asked?: Asked) => Promise<Answered>;

/** A processor with the API of NOWPayments (https://documenter.getpostman.com/view/7907941/2s93JusNJt). */
export function createNowPayments(options: NowPaymentsOptions): CryptoPayments {
  const ask = askerOf(options);
  return {
    async estimate(priceCents, payCurrency) {
      const amount = decimalText(BigInt(priceCents), 2);
      const query = new URLSearchParams({ amount, currency_from: 'usd', currency_to: payCurrency });
      const body = accepted(await ask('GET', `/v1/estimate?${query.toString()}`));
      return decimalIn(fieldsOf(body).estimated_amount) ?? malformed('estimated_amount');
    },
    async create(order) {
      const headers = { 'Idempotency-Key': `${order.orderId}-${order.attempt}` };
      const body = bodyOf(order, options.callbackUrl);
      const payment = paymentIn(accepted(await ask('POST', '/v1/payment', { body, headers })));
      const isOurs = payment.orderId === null || payment.orderId === order.orderId;
      if (!isOurs || payment.payCurrency !== order.payCurrency) return malformed('order_id, pay_currency');
      return payment;
    },
    async find(paymentId) {
      const answer = await ask('GET', `/v1/payment/${encodeURIComponent(paymentId)}`);
      return isMissing(answer) ? undefined : paymentIn(accepted(answer));
    },
    async ofOrder(orderId) {
      const query = new URLSearchParams({ limit: '100', page: '0', orderId, order_id: orderId });
      const answer = await ask('GET', `/v1/payment/?${query.toString()}`);
      // The key lacks the right, or the list does not exist.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return [];
      const { data } = fieldsOf(accepted(answer));
      const rows: readonly ExactJson[] = Array.isArray(data) ? data : [];
      return rows.filter((row) => textIn(fieldsOf(row).order_id) === orderId).map(paymentIn);
    },
  };
}

/** The price keeps its digits. */
function bodyOf({ orderId, priceCents, payCurrency }: PaymentOrder, callbackUrl: string | undefined): string {
  const rest = JSON.stringify({
    price_currency: 'usd',
    pay_currency: payCurrency,
    order_id: orderId,
    ipn_callback_url: callbackUrl,
  });
  return `{"price_amount":${decimalText(BigInt(priceCents), 2)},${rest.slice(1)}`;
}

/** Maximum bytes of an answer. */
const mostBytes = 2_000_000;

const askerOf =
  ({ baseUrl, apiKey, timeoutMs = paymentsTimeoutMs }: NowPaymentsOptions): Ask =>
  async (method, path, { body, headers } = {}) => {
    const url = `${baseUrl}${path}`;
    const sent = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }), ...headers };
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await request(url, { method, headers: sent, body: body ?? null, signal });
      const text = (await readAtMost(mostBytes, answer.body)).toString();
      return { status: answer.statusCode, body: answer.statusCode < 300 ? parseExactJson(text) : null };
    } catch (cause) {
      throw new PaymentsUnavailable('The crypto processor gave no answer that can be read.', { cause });
    }
  };

const isMissing = ({ status }: Answered): boolean => status === 404;

/** Statuses about our key or rate, which say nothing about the request. */
const notOurs: readonly number[] = [401, 403, 408, 425, 429];

function accepted({ status, body }: Answered): ExactJson {
  if (status >= 200 && status < 300) return body;
  const message = `The crypto processor answered with status ${status}.`;
  if (status >= 400 && status < 500 && !notOurs.includes(status)) throw new PaymentsRefused(message);
  throw new PaymentsUnavailable(message);
}

function malformed(what: string): never {
  throw new PaymentsUnavailable(`The crypto processor’s answer has no usable ${what}.`);
}

const decimalIn = (value: ExactJson | undefined): Decimal | undefined => {
  const text = textIn(value);
  return text === undefined ? undefined : parseDecimal(text);
};

function paymentIn(body: ExactJson): ProcessorPayment {
  const fields = fieldsOf(body);
  const text = (name: string) => textIn(fields[name]) ?? malformed(name);
  const decimal = (name: string) => decimalIn(fields[name]) ?? malformed(name);
  return {
    paymentId: text('payment_id'),
    orderId: textIn(fields.order_id) ?? null,
    status: processorStatusOf(text('payment_status')),
    price: decimal('price_amount'),
    priceCurrency: text('price_currency').toLowerCase(),
    payCurrency: text('pay_currency').toLowerCase(),
    payAmount: decimal('pay_amount'),
    actuallyPaid: decimalIn(fields.actually_paid) ?? null,
    payAddress: text('pay_address'),
    payMemo: textIn(fields.payin_extra_id) ?? null,
  };
}

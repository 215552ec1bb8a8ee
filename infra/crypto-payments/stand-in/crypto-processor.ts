import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAtLeast, parseDecimal } from '../../../contracts/decimal.ts';
import { fieldsOf, JsonNumber, parseExactJson, sortedJson, textIn, type ExactJson } from '../exact-json.ts';
import { signatureHeader, signatureOf } from '../signature.ts';
import { amountFor } from './crypto-rates.ts';

/** A stored payment, as sent. Amounts are decimals of the whole unit. */
export interface StoredPayment {
  readonly payment_id: string;
  readonly order_id: string;
  readonly price_amount: string;
  readonly price_currency: string;
  readonly pay_amount: string;
  readonly pay_currency: string;
  readonly pay_address: string;
  readonly payment_status: string;
  readonly actually_paid: string;
  readonly ipn_callback_url: string;
  /** The `Idempotency-Key` of its request. */
  readonly key: string;
}

/** How requests are answered. `no-reply`: the request takes effect, and the connection is closed without a reply. */
export type Behaviour = 'normal' | 'down' | 'silent' | 'no-reply';

export interface CryptoProcessorOptions {
  readonly apiKey: string;
  readonly ipnSecret: string;
  /** 0: any free port. */
  readonly port?: number;
  /** URL of callbacks; default: as in each payment. */
  readonly callbackUrl?: () => string;
  /** Whether the key may list payments; for the real one that takes more rights. */
  readonly lists?: boolean;
  /** Whether a repeated `Idempotency-Key` returns the existing payment; the real one ignores the header. */
  readonly idempotent?: boolean;
}

export interface CryptoProcessor {
  readonly url: string;
  readonly payments: ReadonlyMap<string, StoredPayment>;
  /** The last answer to a query of each payment. */
  readonly answered: ReadonlyMap<string, StoredPayment>;
  /** Changes how later requests are answered. */
  behave(behaviour: Behaviour): void;
  /** Changes the state that queries of a payment return, without a callback. */
  set(paymentId: string, changes: Partial<StoredPayment>): StoredPayment;
  /** Calls back with the payment's present state, or with changes; returns the status of the answer. */
  callBack(paymentId: string, changes?: Partial<StoredPayment>, signature?: string): Promise<number>;
  /** Pays, confirms and finishes a payment: two callbacks. Default: the requested amount. */
  pay(paymentId: string, amount?: string): Promise<void>;
  close(): Promise<void>;
}

/** A stand-in for the crypto processor, on loopback, with the API and callbacks of NOWPayments. */
export async function startCryptoProcessor(options: CryptoProcessorOptions): Promise<CryptoProcessor> {
  const state: State = { options, stored: new Map(), answered: new Map(), behaviour: 'normal' };
  const server = createServer((request, response) => {
    respond(state, request, response).catch(() => response.destroy());
  });
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments: state.stored,
    answered: state.answered,
    behave: (behaviour) => void (state.behaviour = behaviour),
    set: (paymentId, changes) => set(state, paymentId, changes),
    callBack: (paymentId, changes, signature) => callBack(state, paymentId, changes, signature),
    pay: (paymentId, amount) => pay(state, paymentId, amount),
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

interface State {
  readonly options: CryptoProcessorOptions;
  readonly stored: Map<string, StoredPayment>;
  readonly answered: Map<string, StoredPayment>;
  behaviour: Behaviour;
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request);
  if (state.behaviour === 'silent') return;
  if (state.behaviour === 'down') return send(response, 503, { message: 'Service unavailable' });
  const { status, body } = await answer(state, request, text);
  if (state.behaviour === 'no-reply') response.destroy();
  else send(response, status, body);
}

function set({ stored }: State, paymentId: string, changes: Partial<StoredPayment>): StoredPayment {
  const payment = { ...present(stored, paymentId), ...changes };
  stored.set(paymentId, payment);
  return payment;
}

async function callBack(
  { stored, options }: State,
  paymentId: string,
  changes: Partial<StoredPayment> = {},
  signature?: string,
): Promise<number> {
  const payment = { ...present(stored, paymentId), ...changes };
  const body = notification(payment);
  const response = await fetch(options.callbackUrl?.() ?? payment.ipn_callback_url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: signature ?? signatureOf(body, options.ipnSecret),
    },
    body: sortedJson(body, String),
  });
  await response.arrayBuffer();
  return response.status;
}

async function pay(state: State, paymentId: string, amount?: string): Promise<void> {
  const { pay_amount } = present(state.stored, paymentId);
  if (amount !== undefined && parseDecimal(amount) === undefined) throw new Error('That is no amount.');
  set(state, paymentId, { payment_status: 'confirming', actually_paid: amount ?? pay_amount });
  await callBack(state, paymentId);
  const isEnough = amount === undefined || isAtLeast(amount, pay_amount);
  set(state, paymentId, { payment_status: isEnough ? 'finished' : 'partially_paid' });
  await callBack(state, paymentId);
}

interface Answer {
  readonly status: number;
  readonly body: ExactJson;
}
async function answer(state: State, request: IncomingMessage, text: string): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://processor');
  const [route, id = ''] = routeOf(request.method ?? '', pathname);
  if (route === 'pay') return paid(state, id, query.get('amount') ?? undefined);
  if (request.headers['x-api-key'] !== state.options.apiKey)
    return refusal(403, 'INVALID_API_KEY', 'Invalid api key');
  switch (route) {
    case 'estimate':
      return estimate(query);
    case 'create':
      return create(state, fieldsOf(parseExactJson(text)), String(request.headers['idempotency-key'] ?? ''));
    case 'list':
      return list(state);
    case 'find':
      return find(state, id);
    default:
      return refusal(404, 'NOT_FOUND', 'Not found');
  }
}

function find({ stored, answered }: State, id: string): Answer {
  const payment = stored.get(id);
  if (payment === undefined) return refusal(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
  answered.set(id, payment);
  return { status: 200, body: notification(payment) };
}

const table: readonly (readonly [string, RegExp, string])[] = [
  ['POST', /^\/pay\/(\w+)$/, 'pay'],
  ['GET', /^\/v1\/estimate$/, 'estimate'],
  ['POST', /^\/v1\/payment$/, 'create'],
  ['GET', /^\/v1\/payment\/$/, 'list'],
  ['GET', /^\/v1\/payment\/(\w+)$/, 'find'],
];

function routeOf(method: string, path: string): readonly [string, string?] {
  for (const [verb, shape, route] of table) {
    const match = verb === method ? shape.exec(path) : null;
    if (match !== null) return [route, match[1] ?? ''];
  }
  return ['none'];
}

const refusal = (statusCode: number, code: string, message: string): Answer => ({
  status: statusCode,
  body: { status: false, statusCode: new JsonNumber(String(statusCode)), code, message },
});

/** For manual tests: `POST /pay/<payment_id>`, with `?amount=` for another amount. */
async function paid(state: State, id: string, amount: string | undefined): Promise<Answer> {
  const { stored } = state;
  const known = stored.get(id);
  if (known === undefined) return refusal(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
  await pay(state, id, amount);
  return { status: 200, body: notification(stored.get(id) ?? known) };
}

function estimate(query: URLSearchParams): Answer {
  const [price, currency] = [query.get('amount') ?? '', query.get('currency_to') ?? ''];
  const amount = amountFor(price, currency);
  if (amount === undefined) return refusal(400, 'CURRENCY_UNAVAILABLE', `Currency ${currency} was not found`);
  return {
    status: 200,
    body: {
      currency_from: query.get('currency_from') ?? 'usd',
      amount_from: new JsonNumber(price),
      currency_to: currency,
      estimated_amount: new JsonNumber(amount),
    },
  };
}

function create(
  { stored, options }: State,
  fields: Readonly<Record<string, ExactJson>>,
  key: string,
): Answer {
  const [price = '', currency = ''] = [textIn(fields.price_amount), textIn(fields.pay_currency)];
  const amount = amountFor(price, currency);
  if (amount === undefined) return refusal(400, 'CURRENCY_UNAVAILABLE', `Currency ${currency} was not found`);
  const again = [...stored.values()].find((each) => each.key === key);
  const payment: StoredPayment =
    options.idempotent && again !== undefined
      ? again
      : {
          payment_id: String(5_000_000_000 + stored.size + 1),
          order_id: textIn(fields.order_id) ?? '',
          price_amount: price,
          price_currency: textIn(fields.price_currency) ?? 'usd',
          pay_amount: amount,
          pay_currency: currency,
          pay_address: `${currency}-address-${stored.size + 1}`,
          payment_status: 'waiting',
          actually_paid: '0',
          ipn_callback_url: textIn(fields.ipn_callback_url) ?? '',
          key,
        };
  stored.set(payment.payment_id, payment);
  const { actually_paid: _, ...made } = fieldsOf(notification(payment));
  return { status: 201, body: { ...made, payment_id: payment.payment_id } };
}

function list({ stored, options: { lists = true } }: State): Answer {
  if (!lists) return refusal(401, 'AUTH_REQUIRED', 'Authorization header is empty (Bearer JWTtoken)');
  const data = [...stored.values()].map(notification);
  return { status: 200, body: { data, limit: number(100), page: number(0), total: number(data.length) } };
}

const number = (value: number) => new JsonNumber(String(value));

/** The body of callbacks and answers, where ids and amounts are numbers. */
const notification = ({ key: _, ipn_callback_url: __, ...payment }: StoredPayment): ExactJson => ({
  ...payment,
  payment_id: new JsonNumber(payment.payment_id),
  price_amount: new JsonNumber(payment.price_amount),
  pay_amount: new JsonNumber(payment.pay_amount),
  actually_paid: new JsonNumber(payment.actually_paid),
  parent_payment_id: null,
  payin_extra_id: null,
  order_description: null,
  outcome_currency: 'usd',
  outcome_amount: new JsonNumber('0'),
  fee: { withdrawalFee: number(0), currency: 'usd', serviceFee: number(0), depositFee: number(0) },
});

function present(stored: ReadonlyMap<string, StoredPayment>, paymentId: string): StoredPayment {
  const payment = stored.get(paymentId);
  if (payment === undefined) throw new Error(`There is no payment ${paymentId}.`);
  return payment;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: ExactJson): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(sortedJson(body, String));
}

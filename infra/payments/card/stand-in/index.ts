import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerCall, failure, parseForm, type ApiAnswer } from './api.ts';
import type { SentEvent } from './book.ts';
import { Ledger } from './ledger.ts';
import { answerPage } from './pages.ts';

export interface CardProcessorOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Monthly prices in cents, by price id. */
  readonly prices: Readonly<Record<string, number>>;
  /** URL of callbacks; undefined: they are only recorded. */
  readonly callbackUrl?: () => string;
  /** Default: any free port. */
  readonly port?: number;
  readonly now?: () => number;
}

/** The failure mode, until it is changed. `lost`: the call takes effect, and its answer never arrives. */
export type Fault =
  | { readonly kind: 'away' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number };

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  /** The API version of the caller. */
  readonly version: string | undefined;
}

/** A stand-in for a card processor on loopback, with Stripe's documented API. Nothing is ever charged. */
export interface CardStandIn {
  readonly url: string;
  readonly ledger: Ledger;
  /** All events, in order. */
  readonly events: readonly SentEvent[];
  readonly requests: readonly ReceivedRequest[];
  fail(fault: Fault | undefined): void;
  /** The headers of a callback with these bytes. `at`: time of the signature. */
  sign(text: string, at?: Date): Readonly<Record<string, string>>;
  /** Resolves once all sent callbacks are answered. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

interface StoredAnswer {
  readonly fingerprint: string;
  readonly answer: ApiAnswer;
}

export async function startCardStandIn(options: CardProcessorOptions): Promise<CardStandIn> {
  const { webhookSecret, prices, callbackUrl, port = 0, now = Date.now } = options;
  const events: SentEvent[] = [];
  const requests: ReceivedRequest[] = [];
  const sending = new Set<Promise<unknown>>();
  let fault: Fault | undefined;
  const sign = (text: string, at = new Date(now())) => signed(text, webhookSecret, at);
  const onEvent = (event: SentEvent): void => {
    events.push(event);
    if (callbackUrl === undefined) return;
    const sent = deliver(callbackUrl(), JSON.stringify(event), sign).finally(() => sending.delete(sent));
    sending.add(sent);
  };
  const ledger = new Ledger({ prices, now, onEvent });
  const call = createApi(ledger, options.secretKey);
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const received = await receive(request);
      if (!received.path.startsWith('/v1/')) return answerPage(ledger, received, response);
      requests.push(received);
      await answerWithFault(fault, response, () => call(received, originOf(server)));
    };
    answer().catch(() => response.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    ...{ url: originOf(server), ledger, events, requests, sign },
    fail: (next) => void (fault = next),
    delivered: async () => {
      while (sending.size > 0) await Promise.all(sending);
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Answers according to the fault. */
async function answerWithFault(
  fault: Fault | undefined,
  response: ServerResponse,
  run: () => ApiAnswer,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(response, run());
    case 'away':
      return void response.destroy();
    case 'lost':
      run();
      return void response.destroy();
    case 'status':
      return send(response, failure(fault.status, { type: 'api_error', message: 'An error occurred.' }));
    case 'slow':
      await delay(fault.ms);
      return send(response, run());
  }
}

/** Answers calls with the API's key. */
function createApi(ledger: Ledger, secretKey: string) {
  const answers = new Map<string, StoredAnswer>();
  return (received: ParsedRequest, origin: string): ApiAnswer =>
    received.authorization === `Bearer ${secretKey}`
      ? withKey(answers, received, () => answerCall(ledger, received, urlsAt(origin)))
      : failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
}

const urlsAt = (origin: string) => ({
  checkout: (id: string) => `${origin}/pay/${id}`,
  portal: (id: string) => `${origin}/portal/${id}`,
});

interface ParsedRequest extends ReceivedRequest {
  readonly form: ReturnType<typeof parseForm>;
  readonly authorization: string | undefined;
}

async function receive(request: IncomingMessage): Promise<ParsedRequest> {
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://processor');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET', headers } = request;
  const text = method === 'GET' ? search.slice(1) : Buffer.concat(chunks).toString();
  const { authorization } = headers;
  const [idempotencyKey, version] = [headers['idempotency-key'], headers['stripe-version']].flat();
  return { method, path, text, form: parseForm(text), idempotencyKey, version, authorization };
}

/** Repeats the first answer for a used idempotency key; refuses it with other parameters. */
function withKey(
  answers: Map<string, StoredAnswer>,
  { method, path, text, idempotencyKey }: ParsedRequest,
  run: () => ApiAnswer,
): ApiAnswer {
  if (method !== 'POST' || idempotencyKey === undefined) return run();
  const fingerprint = `${path}?${text}`;
  const known = answers.get(idempotencyKey);
  if (known === undefined) {
    const answer = run();
    answers.set(idempotencyKey, { fingerprint, answer });
    return answer;
  }
  if (known.fingerprint === fingerprint) return known.answer;
  return failure(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  });
}

function send(response: ServerResponse, { status, body }: ApiAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_stand_in' });
  response.end(JSON.stringify(body));
}

function signed(text: string, secret: string, at: Date): Readonly<Record<string, string>> {
  const time = Math.floor(at.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  return {
    'stripe-signature': `t=${time},v1=${signature}`,
    'content-type': 'application/json; charset=utf-8',
  };
}

/** Retries like the processor, but sooner. */
async function deliver(url: string, body: string, sign: (text: string) => Readonly<Record<string, string>>) {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const answer = await fetch(url, { method: 'POST', headers: sign(body), body }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(attempt * 200);
  }
}

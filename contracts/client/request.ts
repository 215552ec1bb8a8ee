import type { Operation } from './operation.ts';
import type { CallOptions, FetchInit } from './options.ts';
import { randomUuid } from './uuid.ts';

/** A request, without the parts that its operation determines. */
export interface Sent extends CallOptions {
  /** With parameters and query filled in. */
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/** A path with its parameters. Throws for a parameter that would change the path, before anything is sent. */
export function pathWith(template: string, parameters: readonly unknown[]): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[next];
    next += 1;
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`Give the ${name}, as text.`);
    const text = String(value);
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`"${text}" is no ${name}.`);
    return encodeURIComponent(text);
  });
}

/** Appends a query of the defined fields; a list gives one pair per item. */
export function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value])
      .filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each as string)}`),
  );
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

const accepts = {
  json: 'application/json',
  text: 'text/*, application/*;q=0.9',
  bytes: '*/*',
  any: '*/*',
  events: 'text/event-stream',
} as const;

/** The sender's credential and headers. */
export interface Sender {
  readonly credential: string | undefined;
  readonly onAccountOf: string | undefined;
  readonly position: string | undefined;
}

/** Arguments of `fetch`, except for the signal. */
export function requestOf(
  operation: Operation,
  sent: Sent,
  { credential, onAccountOf, position }: Sender,
): Omit<FetchInit, 'signal'> {
  const body = operation.takes === 'raw' ? rawBody(sent.body) : jsonBody(sent.body);
  const headers: Record<string, string> = {
    accept: sent.accept ?? `${accepts[operation.gives]}, application/problem+json;q=0.5`,
  };
  const carry = (name: string, text: string | undefined): void => {
    if (text !== undefined) headers[name] = visible(text, name);
  };
  if (credential !== undefined) headers.authorization = `Bearer ${visible(credential, 'credential')}`;
  carry('x-service-account', onAccountOf);
  carry('content-type', body === undefined ? undefined : 'application/json');
  carry('x-service-min-position', operation.waitsForPosition ? position : undefined);
  carry('idempotency-key', sent.idempotencyKey);
  carry('last-event-id', sent.lastEventId);
  // Set here so that it is known even without an answer, for looking up the outcome.
  if (!operation.isRead) headers['x-request-id'] = `req_${randomUuid()}`;
  // The caller's headers replace ours; one that cannot be sent is refused here.
  if (sent.headers !== undefined)
    new Headers(sent.headers).forEach((value, name) => {
      headers[name] = value;
    });
  return {
    method: operation.method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  } as const;
}

/** Throws unless a header can carry the text; the error of `fetch` would contain the text. */
export function visible(text: string, what: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`The ${what} is not valid in a header.`);
  return text;
}

const jsonBody = (body: unknown): string | undefined =>
  body === undefined ? undefined : JSON.stringify(body);

const rawBody = (body: unknown): string | ArrayBuffer | undefined => {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof Uint8Array) return body.slice().buffer;
  throw new TypeError('Give the raw body, as bytes or text.');
};

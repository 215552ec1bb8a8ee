import { bytesOf, chunksOf, textOf } from './body.ts';
import type { Answer } from './call.ts';
import { eventsOf, type SentEvent } from './event-stream.ts';
import { Limit } from './limit.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, Fetch, HttpResponse, ServiceOptions } from './options.ts';
import { isLater } from './position.ts';
import { requestOf, visible, type Sent } from './request.ts';
import { broken, errorOf, refused, verdictOf, waitBefore, type Failure } from './retry.ts';
import { randomUuid } from './uuid.ts';

/** Maximum bytes of a problem's body; a longer one is not the service's. */
const longestProblem = 1024 * 1024;

/** Default timeouts of a call in milliseconds: the service answers any write within 150 seconds. */
const usualMs = { read: 60_000, write: 160_000 };

/** A timer of more than 2^31 milliseconds would be due at once. */
const longestTimer = 2e9;

type Use<T> = (response: HttpResponse) => T | Promise<T>;

/** The connection of operations to the service. It need not be closed. */
export class Connection {
  readonly #options: ServiceOptions;
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #silentMs: number;
  #position: string | undefined;

  constructor(options: ServiceOptions) {
    const { protocol, origin, pathname } = new URL(options.baseUrl);
    if (!/^https?:$/.test(protocol)) throw new TypeError('The base address is not HTTP.');
    for (const credential of [options.apiKey, options.accessToken])
      if (typeof credential === 'string') visible(credential, 'credential');
    this.#options = options;
    this.#base = origin + pathname.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#silentMs = Math.min(options.readTimeoutMs ?? 45_000, longestTimer);
    this.#position = options.position;
  }

  /** The highest position of all answers so far. Sent with reads, so that they include earlier writes. */
  get position(): string | undefined {
    return this.#position;
  }

  /** The answer of an operation, with its parsed body. */
  async send<T>(operation: Operation, sent: Sent): Promise<Answer<T>> {
    const limit = this.limitOf(operation, sent);
    try {
      return await this.attempt(operation, sent, limit, async (response) =>
        answerOf(response, (await this.#read(operation, response, limit)) as T),
      );
    } finally {
      limit.end();
    }
  }

  limitOf({ isRead }: Operation, { signal, timeoutMs }: CallOptions, otherwiseMs?: number): Limit {
    const usual = otherwiseMs ?? (isRead ? usualMs.read : usualMs.write);
    return new Limit(signal, timeoutMs ?? this.#options.timeoutMs ?? usual);
  }

  /** The result of `use` for a successful answer. Retries where that is safe, and throws the last failure. */
  async attempt<T>(
    operation: Operation,
    sent: Sent,
    limit: Limit,
    use: Use<T>,
    retries = this.#options.maxRetries ?? 2,
  ): Promise<T> {
    const idempotencyKey = sent.idempotencyKey ?? (operation.keyed ? randomUuid() : undefined);
    const keyed = { ...sent, idempotencyKey };
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(operation, keyed, limit, use, attempt);
      if ('value' in tried) return tried.value;
      limit.throwIfAborted();
      limit.inDoubt = tried.mayHaveHappened ?? limit.inDoubt;
      const isLast = !tried.passing || !operation.repeatable || attempt > retries;
      if (isLast || !(await limit.wait(waitBefore(attempt, tried))))
        throw verdictOf(tried, operation, idempotencyKey, limit.inDoubt);
    }
  }

  async #try<T>(
    operation: Operation,
    sent: Sent,
    limit: Limit,
    use: Use<T>,
    attempt: number,
  ): Promise<{ readonly value: T } | Failure> {
    const { apiKey, accessToken, onAccountOf } = this.#options;
    let request: ReturnType<typeof requestOf>;
    try {
      const given = apiKey ?? accessToken;
      const credential = await limit.race(Promise.resolve(typeof given === 'function' ? given() : given));
      request = requestOf(operation, sent, { credential, onAccountOf, position: this.#position });
    } catch (cause) {
      // Nothing was sent, but an earlier try may have taken effect.
      if (limit.reason() === undefined && !limit.inDoubt) throw cause;
      return { ...broken(cause), mayHaveHappened: undefined };
    }
    const startedAt = performance.now();
    let response: HttpResponse | undefined;
    let tried: { readonly value: T } | Failure;
    try {
      response = await limit.race(this.#fetch(this.#base + sent.path, { ...request, signal: limit.signal }));
      this.#note(response);
      tried = response.ok
        ? { value: await use(response) }
        : refused(errorOf(response, await this.text(response, limit, longestProblem)), operation);
    } catch (cause) {
      tried = broken(limit.reason() ?? cause, response, request.headers['x-request-id']);
    }
    this.#log(operation, attempt, startedAt, response, 'error' in tried ? tried.error : undefined);
    return tried;
  }

  #note({ headers }: HttpResponse): void {
    const at = headers.get('x-service-position');
    if (at === null || at === this.#position) return;
    if (this.#position === undefined || isLater(at, this.#position)) this.#position = at;
  }

  #log(
    { method, path }: Operation,
    attempt: number,
    startedAt: number,
    response: HttpResponse | undefined,
    error: Error | undefined,
  ): void {
    const { logger } = this.#options;
    if (logger === undefined) return;
    const requestId = response?.headers.get('x-request-id');
    const details = {
      ...{ method, path, attempt, ms: Math.round(performance.now() - startedAt) },
      ...(response !== undefined && { status: response.status }),
      ...(typeof requestId === 'string' && { requestId }),
    };
    if (error === undefined) logger.debug?.(`${method} ${path}`, details);
    else logger.warn?.(`${method} ${path}`, { ...details, error: error.name });
  }

  async #read(operation: Operation, response: HttpResponse, limit: Limit): Promise<unknown> {
    const bytes = await bytesOf(response, limit, this.#silentMs);
    const gives = operation.gives === 'any' ? formOf(response) : operation.gives;
    if (gives === 'bytes') return bytes;
    const text = textOf(bytes);
    if (gives === 'text') return text;
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** The text of an answer's body, or a little more than `most` bytes of it. */
  async text(response: HttpResponse, limit: Limit, most?: number): Promise<string> {
    return textOf(await bytesOf(response, limit, this.#silentMs, most));
  }

  /** The events of an answer's body. */
  events(response: HttpResponse, limit: Limit): AsyncGenerator<SentEvent, void, undefined> {
    return eventsOf(chunksOf(response, limit, this.#silentMs));
  }
}

function formOf({ headers }: HttpResponse): 'json' | 'text' | 'bytes' {
  const type = headers.get('content-type') ?? 'application/json';
  if (/json\b/.test(type) && !type.includes('ndjson')) return 'json';
  return /^text\/|xml|ndjson/.test(type) ? 'text' : 'bytes';
}

/** An answer's data, with the values of its headers. */
export const answerOf = <T>(response: HttpResponse, data: T): Answer<T> => ({
  data,
  requestId: response.headers.get('x-request-id') ?? '',
  position: response.headers.get('x-service-position') ?? undefined,
  replayed: response.headers.get('idempotency-replayed') === 'true',
  response,
});

import type { Dispatcher } from 'undici';
import type { AttemptError } from '../../contracts/events/webhook-delivery.ts';
import type { ReceiverPool } from './receiver-pools.ts';

/** The outcome of a request. Times are milliseconds of a monotonic clock, null for phases not reached. */
export interface Exchanged {
  readonly end: { readonly status: number } | { readonly error: AttemptError };
  /** Null on a reused connection. */
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  /** A reused connection turned out to be closed: the receiver has most likely not seen the request. */
  readonly wasStale: boolean;
}

export interface Order {
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer;
}

/** Maximum bytes read of an answer's body, which is not used. */
const bodyCap = 16_384;

/**
 * Posts and waits for the answer, within the time limit. The status line decides; a body that does not end, or is too long, only
 * closes the connection. Never rejects. A variant of `undici.request` without its stream.
 */
export const exchange = (receiver: ReceiverPool, order: Order, limitMs: number): Promise<Exchanged> =>
  new Promise((settle) => {
    const handler = new Exchange(limitMs, settle);
    const { pool, dialled } = receiver;
    const before = dialled();
    pool.dispatch({ method: 'POST', ...order }, handler);
    handler.isDialled = dialled() > before;
  });

class Exchange implements Dispatcher.DispatchHandler {
  isDialled = false;
  readonly #begunAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #settle: (exchanged: Exchanged) => void;
  /** Set while there is a connection to close. */
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt: number | undefined;
  #answeredAt: number | undefined;
  #status: number | undefined;
  #received = 0;
  #hasEnded = false;

  constructor(limitMs: number, settle: (exchanged: Exchanged) => void) {
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#end('timeout'), limitMs);
  }

  /** A connection is established, and the request is written next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = performance.now();
    if (this.#hasEnded) this.#drop();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    const isInterim = status < 200;
    if (isInterim) return;
    this.#status = status;
    this.#answeredAt = performance.now();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > bodyCap) this.#end('invalid_response');
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#end('invalid_response');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.#end(attemptErrorOf(error, this.#sentAt !== undefined));
  }

  /** `error`: the failure, if there is no status. */
  #end(error: AttemptError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    const isSent = this.#sentAt !== undefined;
    this.#settle({
      end: this.#status === undefined ? { error } : { status: this.#status },
      connectMs: this.isDialled && isSent ? between(this.#begunAt, this.#sentAt) : null,
      firstByteMs: between(this.#sentAt, this.#answeredAt),
      wasStale: !this.isDialled && isSent && this.#status === undefined && error === 'connection_closed',
    });
    this.#drop();
  }

  /** Closes the connection of an unfinished answer. */
  #drop(): void {
    this.#controller?.abort(new Error('The attempt is over.'));
  }
}

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : Math.round(to - from);

/** By the error's code or, without one, its name; the first match. */
const byCode: readonly (readonly [RegExp, AttemptError])[] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [
    /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|EPROTO)/,
    'tls_failure',
  ],
  [/^(HPE_|HTTPParserError$|UND_ERR_HEADERS|UND_ERR_RES|UND_ERR_RESPONSE)/, 'invalid_response'],
];

/** The failure of an exchange without a status. `wasSent`: the request had a connection. */
function attemptErrorOf(error: unknown, wasSent: boolean): AttemptError {
  const { name } = error instanceof Error ? error : { name: '' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = byCode.find(([pattern]) => pattern.test(code) || pattern.test(name));
  return known?.[1] ?? (wasSent ? 'connection_closed' : 'connection_failed');
}

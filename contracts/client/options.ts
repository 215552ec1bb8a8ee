/** The global's type as declared by the user's environment, else the part that this client needs. */
type Global<Name extends string, Needed> =
  typeof globalThis extends Record<Name, { prototype: infer Declared }> ? Declared : Needed;

interface NeededSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface NeededHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

interface NeededResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: NeededHeaders;
}

/** `AbortSignal` of the platform. */
export type Signal = Global<'AbortSignal', NeededSignal>;
/** The platform's `Response`; its body has been read. */
export type HttpResponse = Global<'Response', NeededResponse>;

/** Second argument of `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | ArrayBuffer;
  redirect: 'manual';
  signal: Global<'AbortSignal', NeededSignal>;
}

/** `fetch`, or a replacement. */
export type Fetch = (url: string, init: FetchInit) => Promise<HttpResponse>;

/** Gets one line per request and per retry. `console` is one. */
export interface Logger {
  debug?(message: string, details: LogDetails): void;
  warn?(message: string, details: LogDetails): void;
}

/** Never headers, queries or bodies: they contain keys and customers' texts. */
export interface LogDetails {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly error?: string;
}

/** A credential, or a function that returns the present one, called before each request. */
export type Credential = string | (() => string | Promise<string>);

/** Options of the client. Without a credential, a browser sends the cookies of its web session. */
export interface ServiceOptions {
  /** Base URL of the service: `https://…`, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: Credential | undefined;
  /** Access token of a web session or of a device, instead of an API key. */
  readonly accessToken?: Credential | undefined;
  /** Acts on the account of a team owner, `acc_<uuid>`. */
  readonly onAccountOf?: string | undefined;
  /** Maximum retries, where a retry is safe. Default 2. */
  readonly maxRetries?: number | undefined;
  /**
   * Timeout of a call in milliseconds, including retries and waits. Default 60,000; longer for operations that may take longer.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Timeout without data of a body, in milliseconds, for frozen connections. Default 45,000; streams send a heartbeat every
   * 15,000.
   */
  readonly readTimeoutMs?: number | undefined;
  /** Reads include at least what was committed at this log position, such as another process's `service.position`. */
  readonly position?: string | undefined;
  readonly fetch?: Fetch | undefined;
  readonly logger?: Logger | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call with `AbortError`. A sent request may still take effect. */
  readonly signal?: Signal | undefined;
  /** Overrides the client's timeout. */
  readonly timeoutMs?: number | undefined;
  /** Default: a new key per call to a route that takes one, the same for all its retries. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Names of call options, which do not overlap with fields of queries. */
export const callOptionNames: ReadonlySet<string> = new Set<keyof CallOptions>([
  'signal',
  'timeoutMs',
  'idempotencyKey',
  'headers',
]);

/** The type of a global where the user's environment declares it, else what this client needs of it. */
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
/** `Response` of the platform; its body has been read. */
export type HttpResponse = Global<'Response', NeededResponse>;

/** What `fetch` is called with. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | ArrayBuffer;
  redirect: 'manual';
  signal: Global<'AbortSignal', NeededSignal>;
}

/** `fetch`, or anything that behaves as it does. */
export type Fetch = (url: string, init: FetchInit) => Promise<HttpResponse>;

/** Takes one line for each request and each retry. `console` is one. */
export interface Logger {
  debug?(message: string, details: LogDetails): void;
  warn?(message: string, details: LogDetails): void;
}

/** Never a header, a query or a body: those hold keys and customers' texts. */
export interface LogDetails {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly error?: string;
}

/** A credential, or what gives the newest one: it is asked before each request. */
export type Credential = string | (() => string | Promise<string>);

/** How the service is reached. Without a credential, a browser sends the cookies of its web session. */
export interface ServiceOptions {
  /** Where the service is: `https://…`, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: Credential | undefined;
  /** Of a web session or of a device, in place of an API key. */
  readonly accessToken?: Credential | undefined;
  /** Acts on the account of a team owner, `acc_<uuid>`. */
  readonly onAccountOf?: string | undefined;
  /** Tries after the first one, where another try is safe. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds for a call, retries and waits among them. Default 60,000, and longer where an operation may take longer. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a body may be silent for: a frozen connection ends. Default 45,000; streams send a heartbeat every 15,000. */
  readonly readTimeoutMs?: number | undefined;
  /** Reads show at least what was committed at this place in the log: another process's `service.position`. */
  readonly position?: string | undefined;
  readonly fetch?: Fetch | undefined;
  readonly logger?: Logger | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call with `AbortError`. What was sent may take effect all the same. */
  readonly signal?: Signal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** By default a new one for each call to a route that takes one, the same in every retry. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a call among the fields of a query: their names never meet. */
export const callOptionNames: ReadonlySet<string> = new Set<keyof CallOptions>([
  'signal',
  'timeoutMs',
  'idempotencyKey',
  'headers',
]);

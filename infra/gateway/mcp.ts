import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { parsedUrl } from '../../contracts/url.ts';
import { ConnectionFailed, Service, ServiceError } from '../../contracts/client/index.ts';
import { Refusal, problems, refuse } from '../../contracts/problems.ts';
import { loopbackHosts } from '../../contracts/web-cookies.ts';
import { pathIn, requestIdFrom, writeProblem } from '../http/index.ts';
import { addressKey } from '../platform/address-key.ts';
import { Cache } from '../platform/cache.ts';
import type { ConcurrencyLimits } from '../platform/concurrency-limiter.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import type { ReadPermits } from '../mcp/large-read.ts';
import { bearerToken } from '../platform/presented-secrets.ts';
import type { McpHandler, McpRequestsOptions } from './mcp-handler.ts';

export interface McpEndpointOptions extends McpRequestsOptions {
  /** The service's public base URL. */
  readonly baseUrl: string;
  /** The client's address. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly errorsBase: string;
  /** Maximum concurrent requests, and those that read a file, a capture or extracted data: of one account, and in all. */
  readonly concurrency?: { readonly requests: ConcurrencyLimits; readonly largeReads: ConcurrencyLimits };
  /** Loads what answers the requests. Default `mcp-handler.ts`. */
  readonly load?: (options: McpRequestsOptions) => Promise<McpHandler>;
}

export interface McpEndpoint {
  /** False if the path is not one of MCP's. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Number of running requests. */
  open(): number;
  close(): Promise<void>;
}

const path = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';
const metadataPaths: ReadonlySet<string> = new Set([metadataPath, `${metadataPath}${path}`]);

/** Cache lifetime of a credential's account, in milliseconds. The service validates each call of a tool anyway. */
const maxAgeMs = 30_000;

/** `POST /mcp`: the tools of `infra/mcp` by Streamable HTTP. Requests are stateless, each with its own credential. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { baseUrl, errorsBase, logger } = options;
  const admission = createAdmission(options);
  const challenge = { 'WWW-Authenticate': `Bearer resource_metadata="${baseUrl}${metadataPath}${path}"` };

  return {
    handle: (request, response) => {
      const asked = pathIn(request);
      if (asked !== path && !metadataPaths.has(asked)) return false;
      const requestId = requestIdFrom(request.headers['x-request-id']);
      response.setHeader('X-Request-Id', requestId);
      const refuseWith = (refusal: Refusal): void => {
        const isUnknown = problems[refusal.slug].status === 401;
        writeProblem(response, refusal, { errorsBase, requestId }, isUnknown ? challenge : {});
      };
      if (asked !== path) {
        sendMetadata(request, response, baseUrl, () => refuseWith(refuse('not-found')));
        return true;
      }
      admission.answer(request, response).catch((error: unknown) => {
        if (response.destroyed || response.writableEnded) return;
        if (response.headersSent) response.destroy();
        else refuseWith(refusalOf(error, logger));
      });
      return true;
    },
    open: admission.open,
    close: admission.close,
  };
}

/** Imported only by the first request, to save memory in gateways without MCP. */
const loadHandler = async (options: McpRequestsOptions): Promise<McpHandler> =>
  (await import('./mcp-handler.ts')).createMcpRequests(options);

/** A large read takes up to three times a node's largest result, which has 32 MiB. */
const usualConcurrency = {
  requests: { perKey: 32, total: 256 },
  largeReads: { perKey: 2, total: 8 },
};

/** An account's requests. */
interface Share {
  requests: number;
  readonly largeReads: ReadPermits;
}

/** Admits requests with a credential, up to the limits. */
function createAdmission(options: McpEndpointOptions) {
  const { baseUrl, addressOf, concurrency: { requests, largeReads: reads } = usualConcurrency } = options;
  const { load = loadHandler } = options;
  const accountLookup = createAccountLookup(options);
  const shares = new Map<string, Share>();
  const largeReads = new FairSemaphore(reads.total);
  let handler: Promise<McpHandler> | undefined;
  const loaded = () =>
    (handler ??= load(options).catch((error: unknown) => {
      // The next request tries again.
      handler = undefined;
      throw error;
    }));
  const open = () => [...shares.values()].reduce((total, { requests }) => total + requests, 0);

  return {
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      refuseForeignOrigin(request, baseUrl);
      const token = bearerToken(request.headers.authorization);
      if (token === undefined)
        throw refuse('unauthorized', 'Tools need a credential: send Authorization: Bearer <credential>.');
      const address = addressOf(request);
      const account = await accountLookup.accountOf(token, address);
      const share = shares.get(account) ?? {
        requests: 0,
        largeReads: readPermits(account, new FairSemaphore(reads.perKey), largeReads),
      };
      if (share.requests >= requests.perKey || open() >= requests.total) throw tooMany();
      shares.set(account, share);
      share.requests += 1;
      try {
        await (await loaded()).answer(request, response, { token, address, largeReads: share.largeReads });
      } finally {
        share.requests -= 1;
        if (share.requests === 0) shares.delete(account);
      }
    },
    open,
    close: async () => (await handler?.catch(() => undefined))?.close(),
  };
}

/** Permits of an account, each of which needs one of all accounts', too. */
const readPermits = (account: string, own: FairSemaphore, all: FairSemaphore): ReadPermits => ({
  async acquire(signal) {
    await own.acquire(undefined, signal);
    try {
      await all.acquire(account, signal);
    } catch (error) {
      own.release();
      throw error;
    }
  },
  release() {
    all.release();
    own.release();
  },
});

const tooMany = (): Refusal =>
  refuse('rate-limited', 'Too many tool requests are in progress. Try again soon.', {
    retry_after_seconds: 1,
  });

/** Refuses pages of other origins: DNS rebinding could give them access to a gateway on the user's machine. */
function refuseForeignOrigin({ headers: { origin } }: IncomingMessage, baseUrl: string): void {
  if (origin === undefined) return;
  const page = parsedUrl(origin);
  if (page === undefined || !isOwn(page, new URL(baseUrl)))
    throw refuse('forbidden', 'Pages of other origins may not call tools.');
}

const isOwn = (origin: URL, base: URL): boolean =>
  origin.protocol === base.protocol &&
  origin.port === base.port &&
  (origin.hostname === base.hostname || [origin, base].every(({ hostname }) => loopbackHosts.has(hostname)));

function refusalOf(error: unknown, logger: Logger): Refusal {
  if (error instanceof Refusal) return error;
  logger.warn({ err: error }, 'A tool request could not be answered.');
  return refuse('feature-unavailable', 'The tools are temporarily unavailable. Try again soon.', {
    retry_after_seconds: 1,
  });
}

/** Resolves a credential's account, by asking the service. */
function createAccountLookup({ fetchFor }: Pick<McpEndpointOptions, 'fetchFor'>) {
  const accounts = new Cache<string, string>({ maxAgeMs });
  return {
    async accountOf(token: string, address: string): Promise<string> {
      const digest = createHash('sha256').update(token).digest('base64url');
      const cached = accounts.get(digest);
      if (cached !== undefined) return cached;
      const readAt = accounts.now();
      const service = new Service({
        ...{ baseUrl: 'http://gateway.invalid', apiKey: token, fetch: fetchFor(address) },
        ...{ maxRetries: 0, timeoutMs: 10_000 },
      });
      const account = await ask(service, address);
      accounts.set(digest, account, readAt);
      return account;
    },
  };
}

/** A credential without the right to read accounts is valid, too. It counts for its client's address: an account can have many of them. */
async function ask(service: Service, address: string): Promise<string> {
  try {
    return (await service.account.me()).id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof ConnectionFailed || error.status >= 500)
      throw error;
    if (error.status === 401) throw refuse('invalid-key', error.detail);
    if (error.status === 429)
      throw refuse('rate-limited', error.detail, { retry_after_seconds: error.retryAfter ?? 1 });
    return addressKey(address);
  }
}

/** RFC 9728: how a client without a credential can get one. */
function sendMetadata(
  { method }: IncomingMessage,
  response: ServerResponse,
  baseUrl: string,
  otherwise: () => void,
): void {
  if (method !== 'GET' && method !== 'HEAD') return otherwise();
  const body = JSON.stringify({
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    resource_name: 'Browser tools',
    resource_documentation: `${baseUrl}/reference`,
  });
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=3600',
    'Access-Control-Allow-Origin': '*',
  });
  response.end(method === 'HEAD' ? undefined : body);
}

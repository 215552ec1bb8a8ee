import { pino } from 'pino';
import { refuse } from '../../contracts/problems.ts';
import { toId } from '../../contracts/ids.ts';
import type { Bucket } from '../../contracts/rate-buckets.ts';
import { routes, type Side } from '../../contracts/routes.ts';
import { createApi, listen, type ApiOptions, type Handlers, type Identity, type RequestFacts } from './index.ts';

export const errorsBase = 'https://errors.example';
export const owner: Identity = {
  accountId: toId('account', '11111111-1111-4111-8111-111111111111'),
  tier: 'team',
  scopes: ['read', 'write', 'account_owner'],
};

type Overrides<S extends Side> = Partial<Omit<ApiOptions<S, Identity>, 'side' | 'handlers'>> & {
  readonly handlers?: Partial<Handlers<S, Identity>>;
};

/** An API whose handlers answer with what they were given, on a port of its own. */
export async function startApi<S extends Side>(side: S, { handlers, ...options }: Overrides<S> = {}) {
  const app = createApi({
    side,
    handlers: { ...echoes(side), ...handlers },
    authenticate: bearer,
    limit: async (_caller: Identity, _bucket: Bucket) => ({ limit: 60, remaining: 59, resetSeconds: 1 }),
    errorsBase,
    logger: pino({ level: 'silent' }),
    ...options,
  });
  const { port, close } = await listen(app, 0);
  const base = `http://127.0.0.1:${port}`;
  return { base, port, close, call: client(base) };
}

/** Accepts `Bearer good` as the owner, and `Bearer <scope>` as the owner with that scope only. */
async function bearer(request: RequestFacts): Promise<Identity> {
  const [, token] = /^Bearer (.+)$/.exec(request.header('authorization') ?? '') ?? [];
  if (token === undefined) throw refuse('unauthorized');
  if (token === 'suspended') throw refuse('forbidden', 'The account is suspended.');
  const scopes = routes.flatMap((route) => route.scopes ?? []).filter((scope) => scope === token);
  if (token !== 'good' && scopes.length === 0) throw refuse('invalid-key');
  return token === 'good' ? owner : { ...owner, scopes };
}

function echoes<S extends Side>(side: S): Handlers<S, Identity> {
  const echo = { run: async ({ params, query, body }: object & { params?: object; query?: object; body?: unknown }) => ({ body: { params, query, body } }) };
  return Object.fromEntries(
    routes.filter((route) => route.side === side).map(({ id }) => [id, echo]),
  ) as unknown as Handlers<S, Identity>;
}

interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes, which go out as they are. */
  readonly body?: unknown;
}

/** Calls with `METHOD /path`; parses JSON answers. */
const client =
  (base: string) =>
  async (target: string, { token = 'good', headers = {}, body }: CallOptions = {}) => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined,
    };
  };

import { request as send } from 'node:http';
import { pino } from 'pino';
import { toId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { routes, type Side } from '../../contracts/routes/index.ts';
import {
  createApi,
  listen,
  type ApiOptions,
  type Handlers,
  type Identity,
  type RequestFacts,
} from './index.ts';

export const errorsBase = 'https://errors.example';
const ownId = toId('account', '11111111-1111-4111-8111-111111111111');
export const owner: Identity = {
  accountId: ownId,
  actorId: ownId,
  kind: 'web_session',
  tier: 'team',
  scopes: ['read', 'write', 'account_owner'],
};
export const stranger = toId('account', '22222222-2222-4222-8222-222222222222');

type Overrides<S extends Side> = Partial<Omit<ApiOptions<S, Identity>, 'side' | 'handlers'>> & {
  readonly handlers?: Partial<Handlers<S, Identity>>;
};

const roomy = async () => ({ limit: 60, remaining: 59, resetSeconds: 1 });

/** An API on its own port, whose handlers answer with their input. Its test closes it. */
export async function startApi<S extends Side>(side: S, { handlers, ...options }: Overrides<S> = {}) {
  const app = createApi({
    side,
    handlers: { ...echoes(side), ...handlers },
    authenticate: bearer,
    limit: roomy,
    limitAddress: roomy,
    confirmation: async () => 'fresh',
    errorsBase,
    logger: pino({ level: 'silent' }),
    ...options,
  });
  const { port, close } = await listen(app, 0, { errorsBase });
  return { port, close, call: caller(port), [Symbol.asyncDispose]: close };
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

export function echoes<S extends Side>(side: S): Handlers<S, Identity> {
  const echo = {
    run: async ({ params, query, body }: { params: unknown; query: unknown; body: unknown }) => ({
      body: { params, query, body },
    }),
  };
  const served = routes.filter((route) => route.side === side);
  return Object.fromEntries(served.map(({ id }) => [id, echo])) as unknown as Handlers<S, Identity>;
}

export interface CallOptions {
  /** Null: no credential. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, except for strings and bytes, which are sent as they are. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The parsed body when it is JSON. */
  readonly json: Record<string, unknown>;
}

/** The slug of a problem, or the status of any other answer. */
export const outcomeOf = ({ status, json }: Answer): string | number =>
  status < 400 ? status : String(json.type).slice(errorsBase.length + 1);

/** Sends `METHOD /path`, exactly as written. */
export const caller =
  (port: number) =>
  (target: string, { token = 'good', headers = {}, body }: CallOptions = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const [method = 'GET', path = '/'] = target.split(' ');
      const bytes = body === undefined ? undefined : Buffer.from(asBytes(body));
      const sent = send(
        {
          port,
          method,
          path,
          agent: false,
          headers: {
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(bytes === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': bytes.length }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '') && text !== '';
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              text,
              json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
            });
          });
        },
      );
      sent.once('error', reject);
      sent.end(bytes);
    });

const asBytes = (body: unknown): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);

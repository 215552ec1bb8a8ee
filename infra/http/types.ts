import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Gate } from '../../contracts/route.ts';
import type { Route, RouteId, RouteIdOn, RouteOf, Side } from '../../contracts/routes/index.ts';
import type { Static, TOptional, TSchema } from '../../contracts/schema.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Position } from '../event-store/client/types.ts';
import type { Spooled } from '../platform/spool.ts';

/** The edge's view of a caller; each API has a richer type. */
export interface Identity {
  /** The owner of the resource. */
  readonly accountId: AccountId;
  /** The account of the credential: the same, or a team member's own. */
  readonly actorId: AccountId;
  readonly kind: CredentialKind;
  /** The owner's. */
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
}

/** A request as the parts behind the edge see it: no express, no sockets. */
export interface RequestFacts {
  /** The `X-Request-Id` of the answer. */
  readonly id: string;
  /** The route's id. */
  readonly operation: string;
  /** The gates that the route has not. */
  readonly ungated: readonly Gate[];
  /** The least role of a team member on the owner's account. */
  readonly role: Route['role'];
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Null where the route does not honour `Idempotency-Key`, or none was sent. */
  readonly idempotencyKey: string | null;
  /** Null where the route takes no credential in its query, or none was sent. It goes into no log, error or answer. */
  readonly credentialInQuery: string | null;
  readonly header: (name: string) => string | undefined;
}

/** State of the caller's second factor; `impossible`: the account has one, and this kind of credential cannot give it. */
export type Confirmation = 'not_needed' | 'fresh' | 'stale' | 'impossible';

/** A caller's rate bucket after this request was taken from it. */
export interface RateVerdict {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export interface Reply {
  /** Default: the route's success status. From 400 on the body goes out as `application/problem+json`. */
  readonly status?: number;
  /** `null` or absent: no content. A string or a stream is sent as it is, with the `Content-Type` of `headers`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each a `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** Position of the last event that this reply reflects, for `X-Service-Position`. */
  readonly position?: Position | undefined;
}

type Values<Properties> = {
  -readonly [Name in keyof Properties]: Properties[Name] extends TSchema ? Static<Properties[Name]> : never;
};
type BodyOf<R> = R extends { body: infer Body extends TSchema } ? Static<Body> : undefined;
type QueryOf<R> = R extends { query: infer Query }
  ? Values<{ [Name in keyof Query as Query[Name] extends TOptional ? never : Name]: Query[Name] }> &
      Partial<Values<Query>>
  : object;
type ParamsOf<R> = R extends { params: infer Params } ? { readonly [Name in keyof Params]: string } : object;
type FileOf<R> = R extends { spools: { accountBytes: number } }
  ? Spooled | null
  : R extends { spools: object }
    ? Spooled
    : undefined;
type BytesOf<R> = R extends { raw: object } ? Buffer : undefined;
type CallerOf<R, Caller> = R extends { scopes: null } ? null : Caller;

export interface Call<Id extends RouteId, Caller, Found> {
  readonly caller: CallerOf<RouteOf<Id>, Caller>;
  readonly params: ParamsOf<RouteOf<Id>>;
  /** Declared parameters only, coerced, with the defaults of the table filled in. */
  readonly query: QueryOf<RouteOf<Id>>;
  /** Valid against the table, with its defaults filled in; undeclared top-level fields are still there. */
  readonly body: BodyOf<RouteOf<Id>>;
  /** The content of the field that the route spools; null where there was no room for it. */
  readonly file: FileOf<RouteOf<Id>>;
  /** The body as it came, of a route that takes it raw. */
  readonly bytes: BytesOf<RouteOf<Id>>;
  /** The result of `exists`. */
  readonly found: Found;
  readonly request: RequestFacts;
  /** To be called, on a route that may take long, once it is known that there is work to be done. */
  readonly begun: () => void;
}

/**
 * Looks the subject up before the body is looked at; refuses `not-found`.
 * `run` answers; it gets the result of this handler's own `exists`.
 */
export interface Handler<Id extends RouteId, Caller, Found = never, Looked = unknown> {
  readonly exists?: (
    caller: CallerOf<RouteOf<Id>, Caller>,
    params: ParamsOf<RouteOf<Id>>,
    request: RequestFacts,
  ) => Promise<Looked>;
  readonly run: (call: Call<Id, Caller, Found>) => Promise<Reply>;
}

/** One handler for each route of a side. Write those with `exists` inside `onFound`. */
export type Handlers<S extends Side, Caller> = {
  readonly [Id in RouteIdOn<S>]: Handler<Id, Caller>;
};

/** Gives `found` in `run` the type that `exists` returns. */
export const onFound = <Id extends RouteId, Caller, Found>(
  handler: Required<Handler<Id, Caller, Found, Found>>,
): Handler<Id, Caller> => handler;

import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Gate } from '../../contracts/route.ts';
import type { Route, RouteId, RouteIdOn, RouteOf, Side } from '../../contracts/routes/index.ts';
import type { Static, TOptional, TSchema } from '../../contracts/schema.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Position } from '../event-store/client/types.ts';
import type { Spooled } from '../platform/spool.ts';

/** A caller, as far as the edge needs it; each API has a richer type. */
export interface Identity {
  /** The owner of the resource. */
  readonly accountId: AccountId;
  /** The account of the credential: the same, or a team member's own. */
  readonly actorId: AccountId;
  readonly kind: CredentialKind;
  /** Of the owner. */
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
}

/** A request for the parts behind the edge: no express, no sockets. */
export interface RequestFacts {
  /** The `X-Request-Id` of the answer. */
  readonly id: string;
  /** The route's id. */
  readonly operation: string;
  /** Gates that do not apply to the route. */
  readonly ungated: readonly Gate[];
  /** Minimum role of a team member on the owner's account. */
  readonly role: Route['role'];
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Null if the route does not take an `Idempotency-Key`, or none was sent. */
  readonly idempotencyKey: string | null;
  /** Null if the route takes no credential in its query, or none was sent. Never logged, or part of an error or answer. */
  readonly credentialInQuery: string | null;
  readonly header: (name: string) => string | undefined;
}

/** State of the caller's second factor; `impossible`: the account has one, but this kind of credential cannot confirm it. */
export type Confirmation = 'not_needed' | 'fresh' | 'stale' | 'impossible';

/** A caller's rate bucket after this request. */
export interface RateVerdict {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export interface Reply {
  /** Default: the route's success status. From 400 on the body is sent as `application/problem+json`. */
  readonly status?: number;
  /** Null or absent: no content. A string or a stream is sent as it is, with the `Content-Type` in `headers`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
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
  /** Declared parameters only, coerced, with defaults filled in. */
  readonly query: QueryOf<RouteOf<Id>>;
  /** Valid for the route, with defaults filled in; includes undeclared top-level fields. */
  readonly body: BodyOf<RouteOf<Id>>;
  /** The content of the spooled field; null above the account's limit. */
  readonly file: FileOf<RouteOf<Id>>;
  /** The raw body, for a route that takes one. */
  readonly bytes: BytesOf<RouteOf<Id>>;
  /** The result of `exists`. */
  readonly found: Found;
  readonly request: RequestFacts;
  /** On a slow route, must be called once it is known that there is work to do. */
  readonly begun: () => void;
}

/**
 * `exists` looks the resource up before the body is validated; throws `not-found`. `run` answers; it gets the result of this
 * handler's `exists`.
 */
export interface Handler<Id extends RouteId, Caller, Found = never, Looked = unknown> {
  readonly exists?: (
    caller: CallerOf<RouteOf<Id>, Caller>,
    params: ParamsOf<RouteOf<Id>>,
    request: RequestFacts,
  ) => Promise<Looked>;
  readonly run: (call: Call<Id, Caller, Found>) => Promise<Reply>;
}

/** One handler per route of a side. Those with `exists` are wrapped in `handlerWithExists`. */
export type Handlers<S extends Side, Caller> = {
  readonly [Id in RouteIdOn<S>]: Handler<Id, Caller>;
};

/** Gives `found` in `run` the return type of `exists`. */
export const handlerWithExists = <Id extends RouteId, Caller, Found>(
  handler: Required<Handler<Id, Caller, Found, Found>>,
): Handler<Id, Caller> => handler;

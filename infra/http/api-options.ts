import type { Router } from 'express';
import type { Logger } from 'pino';
import type { AddressBucket, Bucket } from '../../contracts/rate-buckets.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Side } from '../../contracts/routes/index.ts';
import type { FindTeamCaller } from './acting.ts';
import type { AttemptLimiter, Authenticate } from './authentication.ts';
import type { DeprecationOptions } from './deprecation.ts';
import type { Confirmation, Handlers, Identity, RateVerdict } from './types.ts';

export interface ServedRequest {
  readonly requestId: string;
  /** The account that it acted on; null if unknown. */
  readonly accountId: AccountId | null;
  /** Id in the table; null if no route matched. */
  readonly routeId: string | null;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Id of its trace. */
  readonly traceId: string | undefined;
  /** A call of another process of the service, such as a heartbeat, not of a client. */
  readonly isOwn: boolean;
}

export interface ApiOptions<S extends Side, Caller extends Identity> extends DeprecationOptions {
  readonly side: S;
  readonly handlers: Handlers<S, Caller>;
  /** Throws a 401 slug, or `forbidden` for a suspended account. */
  readonly authenticate: Authenticate<Caller>;
  /** Throttles failed authentications by address; default: none. */
  readonly attempts?: AttemptLimiter;
  /** Takes a token from the caller's bucket; throws `rate-limited` with `retry_after_seconds`. */
  readonly limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>;
  /** The same for the client's address. */
  readonly limitAddress?: (address: string, bucket: AddressBucket) => Promise<RateVerdict>;
  /** For routes that require a fresh second factor. */
  readonly confirmation?: (caller: Caller) => Promise<Confirmation>;
  /** Finds the caller's membership on the team of the owner in the account header; default: no teams. */
  readonly findTeamCaller?: FindTeamCaller<Caller>;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /**
   * The service's public base URL where one is configured, for the published contract and the own origin; without it cookies are
   * secure.
   */
  readonly baseUrl?: string | undefined;
  /** Models available to agent sessions, newest first, for the published contract. */
  readonly models?: readonly string[] | undefined;
  readonly logger: Logger;
  /** Mounted first: health and metrics. */
  readonly operations?: Router;
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Directory for bodies too large for memory. Default: in the system's temporary directory. */
  readonly spoolDirectory?: string;
  /** For tests: an answer that does not match its schema becomes a 500 with the reason. Default false. */
  readonly checkReplies?: boolean;
  /** Called once per answered request, for metrics. */
  readonly onServed?: (served: ServedRequest) => void;
}

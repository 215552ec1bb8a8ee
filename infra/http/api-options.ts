import type { Router } from 'express';
import type { Logger } from 'pino';
import type { AddressBucket, Bucket } from '../../contracts/rate-buckets.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Side } from '../../contracts/routes/index.ts';
import type { ActFor } from './acting.ts';
import type { Attempts, Authenticate } from './authentication.ts';
import type { DeprecationOptions } from './deprecation.ts';
import type { Confirmation, Handlers, Identity, RateVerdict } from './types.ts';

export interface Served {
  readonly requestId: string;
  /** The account that it acted on; null where none is known. */
  readonly accountId: AccountId | null;
  /** Of the table; `null` when no route matched. */
  readonly routeId: string | null;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Where it is traced. */
  readonly traceId: string | undefined;
  /** A call of another process of ours, such as a heartbeat, and of no client. */
  readonly isOwn: boolean;
}

export interface ApiOptions<S extends Side, Caller extends Identity> extends DeprecationOptions {
  readonly side: S;
  readonly handlers: Handlers<S, Caller>;
  /** Refuses with a 401 slug, or `forbidden` for a suspended account. */
  readonly authenticate: Authenticate<Caller>;
  /** Throttles failed authentications by address; by default they are not counted. */
  readonly attempts?: Attempts;
  /** Takes one request from the caller's bucket; refuses `rate-limited` with `retry_after_seconds`. */
  readonly limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>;
  /** The same for the address that asks. */
  readonly limitAddress?: (address: string, bucket: AddressBucket) => Promise<RateVerdict>;
  /** For routes that need a second factor to be fresh. */
  readonly confirmation?: (caller: Caller) => Promise<Confirmation>;
  /** Finds the caller's membership on the team of the owner named by its account header; by default there are no teams. */
  readonly actFor?: ActFor<Caller>;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /** The address clients know the service by, for the published contract. */
  readonly baseUrl?: string | undefined;
  /** The models that agent sessions may name, newest first, for the published contract. */
  readonly models?: readonly string[] | undefined;
  readonly logger: Logger;
  /** Mounted before everything else: health and metrics. */
  readonly operations?: Router;
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Directory for bodies that are too large for memory. Default: below the system's temporary directory. */
  readonly spoolDirectory?: string;
  /** Tests: an answer that does not match its schema becomes a 500 with the reason. Default false. */
  readonly checkReplies?: boolean;
  /** Called once per answered request, for metrics. */
  readonly onServed?: (served: Served) => void;
}

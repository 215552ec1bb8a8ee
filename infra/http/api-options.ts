import type { Router } from 'express';
import type { Logger } from 'pino';
import type { AddressBucket, Bucket } from '../../contracts/rate-buckets.ts';
import type { Side } from '../../contracts/routes/index.ts';
import type { ActFor } from './acting.ts';
import type { Attempts, Authenticate } from './authentication.ts';
import type { DeprecationOptions } from './deprecation.ts';
import type { Confirmation, Handlers, Identity, RateVerdict } from './types.ts';

export interface Served {
  /** Of the table; `null` when no route matched. */
  readonly routeId: string | null;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface ApiOptions<S extends Side, Caller extends Identity> extends DeprecationOptions {
  readonly side: S;
  readonly handlers: Handlers<S, Caller>;
  /** Refuses with a 401 slug, or `forbidden` for a suspended account. */
  readonly authenticate: Authenticate<Caller>;
  /** Counts failed authentications per address; without it nobody does. */
  readonly attempts?: Attempts;
  /** Takes one request from the caller's bucket; refuses `rate-limited` with `retry_after_seconds`. */
  readonly limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>;
  /** The same for the address that asks. */
  readonly limitAddress?: (address: string, bucket: AddressBucket) => Promise<RateVerdict>;
  /** For routes that need a second factor to be fresh. */
  readonly confirmation?: (caller: Caller) => Promise<Confirmation>;
  /** Finds the caller on the team of the owner that its account header names; without it nobody is on any team. */
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
  /** Where what is too large for memory is kept while it is under way. Default: below the temporary directory of the system. */
  readonly spoolDirectory?: string;
  /** Tests: an answer that breaks its schema becomes a 500 that says why. Default false. */
  readonly checkReplies?: boolean;
  /** Called once per answered request, for metrics. */
  readonly onServed?: (served: Served) => void;
}

import type { Response } from 'express';
import { anyOfKinds } from '../../contracts/credentials.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  addressBuckets,
  bucketSizes,
  isAddressBucket,
  type AddressBucket,
  type Bucket,
} from '../../contracts/rate-buckets.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { isRateLimited } from './problem.ts';
import type { Confirmation, Identity, RateVerdict } from './types.ts';

/** Refuses a credential of a kind not accepted by the route, or without any of its scopes. */
export function assertScope(route: Route, { kind, scopes }: Identity): void {
  if (route.credentials !== undefined && !route.credentials.includes(kind)) {
    throw refuse('forbidden', `This needs ${anyOfKinds(route.credentials)}.`);
  }
  if (route.scopes === null || route.scopes.some((scope) => scopes.includes(scope))) return;
  throw refuse('forbidden', `This needs one of the scopes ${route.scopes.join(', ')}.`);
}

/** Refuses a caller whose second factor is not fresh on routes that require a step-up. */
export function assertConfirmed(confirmation: Confirmation): void {
  if (confirmation === 'stale')
    throw refuse(
      'mfa-step-up-required',
      'Send a code of your second factor to POST /v1/auth/mfa/step-up, then this request again.',
      { requires_mfa_step_up: true },
    );
  if (confirmation === 'impossible')
    throw refuse(
      'forbidden',
      'The account has a second factor: this needs a web session in which a code of it was given.',
    );
}

/** Takes a token from a rate bucket of the caller's account, or of the client's address. Both throw `rate-limited`. */
export interface RateLimiter<Caller> {
  readonly limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>;
  readonly limitAddress?: ((address: string, bucket: AddressBucket) => Promise<RateVerdict>) | undefined;
}

/** Takes a token from the request's bucket and sets the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
export async function spendToken<Caller extends Identity>(
  { limit, limitAddress }: RateLimiter<Caller>,
  bucket: Bucket | AddressBucket,
  { caller, address }: { readonly caller: Caller | null; readonly address: string },
  response: Response,
): Promise<void> {
  try {
    if (isAddressBucket(bucket)) {
      if (limitAddress) announce(response, bucket, await limitAddress(address, bucket));
    } else if (caller !== null) announce(response, bucket, await limit(caller, bucket));
  } catch (error) {
    if (isRateLimited(error)) {
      const size = isAddressBucket(bucket)
        ? addressBuckets[bucket]
        : bucketSizes[caller?.tier ?? 'free'][bucket];
      const resetSeconds = Number(error.extensions.retry_after_seconds ?? 1);
      announce(response, bucket, { limit: size.burst, remaining: 0, resetSeconds });
    }
    throw error;
  }
}

function announce(
  response: Response,
  bucket: Bucket | AddressBucket,
  { limit, remaining, resetSeconds }: RateVerdict,
): void {
  response.setHeader('RateLimit-Policy', `"${bucket}";q=${limit}`);
  response.setHeader('RateLimit', `"${bucket}";r=${Math.max(0, remaining)};t=${Math.ceil(resetSeconds)}`);
}

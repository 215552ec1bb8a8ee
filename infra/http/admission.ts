import type { Response } from 'express';
import { parseId } from '../../contracts/ids.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { bucketSizes, type Bucket } from '../../contracts/rate-buckets.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { invalid } from './problem.ts';
import type { Identity, RateVerdict } from './types.ts';

/** Refuses a credential without any of the scopes the table asks for. */
export function assertScope(route: Route, { scopes }: Identity): void {
  if (route.scopes === null || route.scopes.some((scope) => scopes.includes(scope))) return;
  throw refuse('forbidden', `This needs one of the scopes ${route.scopes.join(', ')}.`);
}

/**
 * Settles whose account an `X-Service-Account` header means. Nobody is a member of a team yet, so the caller's own
 * account is the only one that exists for it, and every other owner is as unknown as a mistyped one.
 */
export function assertActingAccount(route: Route, { accountId }: Identity, header: string | undefined): void {
  if (route.accountHeader === 'ignored' || header === undefined) return;
  const owner = parseId('account', header);
  if (owner === undefined) {
    throw invalid({ path: '/headers/x-service-account', code: 'pattern', message: 'must be acc_<uuid>' });
  }
  if (owner !== accountId) throw refuse('not-found');
}

/** Takes the request from its bucket and says so in the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
export async function spend<Caller extends Identity>(
  limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>,
  caller: Caller,
  bucket: Bucket,
  response: Response,
): Promise<void> {
  try {
    announce(response, bucket, await limit(caller, bucket));
  } catch (error) {
    if (error instanceof Refusal && error.slug === 'rate-limited') {
      announce(response, bucket, {
        limit: bucketSizes[caller.tier][bucket].burst,
        remaining: 0,
        resetSeconds: Number(error.extensions.retry_after_seconds ?? 1),
      });
    }
    throw error;
  }
}

function announce(response: Response, bucket: Bucket, { limit, remaining, resetSeconds }: RateVerdict): void {
  response.setHeader('RateLimit-Policy', `"${bucket}";q=${limit}`);
  response.setHeader('RateLimit', `"${bucket}";r=${Math.max(0, remaining)};t=${Math.ceil(resetSeconds)}`);
}

import type { Response } from 'express';
import { Refusal } from '../../contracts/problems.ts';
import { bucketSizes, type Bucket } from '../../contracts/rate-buckets.ts';
import type { Identity, RateVerdict } from './types.ts';

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
        limit: bucketSizes[bucket][caller.tier].burst,
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

import { createHmac } from 'node:crypto';
import { Router } from 'express';
import { buckets, type Bucket } from '../../contracts/rate-buckets.ts';
import { tiers } from '../../contracts/tiers.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import type { RateVerdict } from '../http/types.ts';
import { sameSecret } from '../platform/presented-secrets.ts';
import type { RateCaller, RateLimits } from './index.ts';
import { request } from '../platform/request.ts';

export type Levels = Readonly<Record<Bucket, RateVerdict>>;

/** The gateway does not forward this path. */
const path = '/internal/rate-levels';

/** The token by which processes of the deployment authenticate. */
const tokenOf = (secret: string): string => createHmac('sha256', secret).update('rate levels').digest('hex');

/**
 * Serves the levels of this process's in-memory buckets to the deployment's other processes, which cannot know them without
 * Redis. `secrets`: shared by all of them.
 */
export function answerLevels(limits: Pick<RateLimits, 'levels'>, secrets: readonly string[]): Router {
  const tokens = secrets.map((secret) => `Bearer ${tokenOf(secret)}`);
  const isOurs = (header = ''): boolean => tokens.some((token) => sameSecret(header, token));
  const router = Router();
  router.get(path, (asking, reply, next) => {
    const { account } = asking.query;
    const tier = tiers.find((each) => each === asking.query.tier);
    if (!isOurs(asking.headers.authorization) || typeof account !== 'string' || tier === undefined)
      return next();
    limits.levels({ accountId: account, tier }).then((levels) => reply.json(levels), next);
  });
  return router;
}

interface PeerOptions {
  /** URL of the other process. */
  readonly url: string;
  readonly secret: string;
  readonly tls?: InternalTls | undefined;
}

/** Timeout of its answer, in milliseconds. */
const limitMs = 500;

/** Levels of buckets in two processes: the lower of both. An unavailable peer is left out. */
export function levelsWithPeer(limits: Pick<RateLimits, 'levels'>, peer: PeerOptions) {
  return async (caller: RateCaller): Promise<Levels> => {
    const [own, others] = await Promise.all([limits.levels(caller), askPeer(caller, peer)]);
    const emptier = buckets.map((bucket) => {
      const other = others?.[bucket];
      return [bucket, other && other.remaining < own[bucket].remaining ? other : own[bucket]] as const;
    });
    return Object.fromEntries(emptier) as Levels;
  };
}

async function askPeer(
  { accountId: account, tier }: RateCaller,
  { url, secret, tls }: PeerOptions,
): Promise<Partial<Levels> | undefined> {
  try {
    const { statusCode, body } = await request(`${url}${path}`, {
      query: { account, tier },
      headers: { authorization: `Bearer ${tokenOf(secret)}` },
      signal: AbortSignal.timeout(limitMs),
      ...(tls && { dispatcher: tls.agent }),
    });
    const text = await body.text();
    return statusCode === 200 ? (JSON.parse(text) as Partial<Levels>) : undefined;
  } catch {
    return undefined;
  }
}

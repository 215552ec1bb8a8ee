import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** The library's own script counts in whole seconds; our windows (`burst / perMinute`) are not whole. ARGV 4: seconds. */
const consumeScript = `
redis.call('set', KEYS[1], 0, 'PX', math.floor(ARGV[4] * 1000), 'NX')
return {redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}`;

/** One bucket's limiter, of a tier's size: in Redis when there is one, insured by one in memory. */
export function createLimiter(
  name: string,
  size: { readonly burst: number; readonly perMinute: number },
  redis: Redis | undefined,
): RateLimiterAbstract {
  const window = {
    keyPrefix: `rate:${name}`,
    points: size.burst,
    duration: (size.burst / size.perMinute) * 60,
  };
  const memory = new RateLimiterMemory(window);
  if (!redis) return memory;
  return new RateLimiterRedis({
    ...window,
    storeClient: redis,
    customIncrTtlLuaScript: consumeScript,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  });
}

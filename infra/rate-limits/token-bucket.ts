/** The size of a bucket: `burst` tokens, one refilled every minute / `perMinute`. */
export interface BucketSize {
  readonly burst: number;
  readonly perMinute: number;
}

/** The result of a request to a bucket. */
export interface Level {
  /** Whether there was a token for it. */
  readonly taken: boolean;
  /** Microseconds until the bucket is full again, without further requests. */
  readonly untilFull: number;
}

/** Microseconds between two tokens, rounded up, so that no bucket exceeds its rate. */
export const interval = ({ perMinute }: BucketSize): number => Math.ceil(60_000_000 / perMinute);

/**
 * The generic cell rate algorithm: a bucket's only state is the time when it will be full, in whole microseconds of the caller's
 * clock. A bucket is never below empty, so a smaller size, or a clock set back, costs at most one refill.
 *
 * @param tokens the number to take; 0 only checks for a token
 */
export function take(fullAt: number, now: number, size: BucketSize, tokens: 0 | 1): Level {
  const perToken = interval(size);
  const capacity = size.burst * perToken;
  const untilFull = Math.min(Math.max(fullAt - now, 0), capacity);
  const taken = untilFull + perToken <= capacity;
  return { taken, untilFull: taken ? untilFull + tokens * perToken : untilFull };
}

/** The same in Redis, by its clock; the bucket expires once it is full. Returns `taken`, `untilFull`, the time. */
export const takeScript = `
local perToken, capacity, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local fullAt = tonumber(redis.call('GET', KEYS[1]) or 0)
local untilFull = math.min(math.max(fullAt - now, 0), capacity)
local taken = untilFull + perToken <= capacity
if taken then untilFull = untilFull + tokens * perToken end
if untilFull > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', now + untilFull), 'PX', math.ceil(untilFull / 1000))
end
return { taken and 1 or 0, untilFull, now }`;

/** Whole tokens in the bucket. */
export const tokensLeft = (size: BucketSize, { untilFull }: Pick<Level, 'untilFull'>): number =>
  Math.floor(size.burst - untilFull / interval(size));

/** Microseconds until there is a token. */
export const untilToken = (size: BucketSize, { untilFull }: Level): number =>
  Math.max(0, untilFull - (size.burst - 1) * interval(size));

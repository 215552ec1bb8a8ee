import { boundsOfMonth, monthOf } from '../contracts/calendar-month.ts';
import { hourMs } from '../contracts/durations.ts';
import { invalid } from '../contracts/field-errors.ts';
import {
  maxUsagePoints,
  type Usage,
  type UsageBucket,
  type UsageMetric,
  type UsageSeries,
} from '../contracts/resources/usage.ts';
import type { Call } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import {
  storageInRange,
  usageInRange,
  type StorageChange,
  type UsageOfAccount,
} from '../projections/queries/usage.ts';
import { addAgentUse, noAgentUse, runOn, type AgentUse } from '../projections/read-models/usage-fold.ts';
import { limitsOf } from './account-limits.ts';
import type { Reader } from './engine/credentials.ts';
import { queryTime, type Read, type ReadCall } from './engine/reading.ts';

export interface UsageReadOptions {
  readonly clock: Clock;
  readonly webhooksPerAccount: number;
}

/** The call of either of its paths. */
type SeriesCall = ReadCall & Pick<Call<'usage.series', Reader, never>, 'query'>;

/** The usage of an account up to now. */
export function usageReads(read: Read, options: UsageReadOptions) {
  const [month, series] = [monthlyUsage(read, options), usageSeries(read, options)];
  return {
    'usage.get': month,
    'account.usage': month,
    'usage.series': series,
    'account.usage-series': series,
  };
}

const monthlyUsage = (read: Read, { clock, webhooksPerAccount }: UsageReadOptions) => ({
  run: async (call: ReadCall) => {
    const { accountId, tier } = call.caller;
    const now = clock.now();
    const { start, end } = boundsOfMonth(monthOf(now.toISOString()));
    const range = { bucket: 'month', from: start, to: end } as const;
    const { rows, freshness } = await read(call, usageInRange, { accountId, ...range });
    const [used = none] = usedIn(rows[0], range, now).values();
    const limits = limitsOf(rows[0], { tier, webhooksPerAccount });
    const body: Usage = {
      period_start: start,
      period_end: end,
      sessions: { count: used.count, minutes: minutesOf(used), concurrent_peak: used.peak },
      agent: {
        turns: used.agent.turns,
        input_tokens: used.agent.inputTokens,
        output_tokens: used.agent.outputTokens,
        cost_cents: used.agent.costCents,
      },
      storage: { profile_bytes: rows[0]?.profile_bytes ?? 0 },
      limits: {
        concurrent_sessions: limits.sessions,
        api_keys: limits.api_keys,
        webhooks: limits.webhooks,
        proxies: limits.proxies,
      },
    };
    return { body, ...freshness };
  },
});

const usageSeries = (read: Read, { clock }: UsageReadOptions) => ({
  run: async (call: SeriesCall) => {
    const { accountId } = call.caller;
    const { metric = 'sessions.count', bucket = 'day', from, to } = call.query;
    const now = clock.now();
    const range = rangeOf(bucket, queryTime('from', from), queryTime('to', to), now);
    const parameters = { accountId, bucket, ...range };
    const points = (valueOf: (start: number) => number) =>
      startsOf(bucket, range).map((start) => ({ t: new Date(start).toISOString(), value: valueOf(start) }));
    if (metric === 'storage.profile_bytes') {
      const { rows, freshness } = await read(call, storageInRange, parameters);
      const stored = storedBy(rows[0]?.changes ?? [], now);
      return { body: { metric, bucket, points: points(stored) } satisfies UsageSeries, ...freshness };
    }
    const { rows, freshness } = await read(call, usageInRange, parameters);
    const used = usedIn(rows[0], { bucket, ...range }, now);
    const value = (start: number) => values[metric](used.get(start) ?? none);
    const body: UsageSeries = { metric, bucket, points: points(value) };
    return { body, ...freshness };
  },
});

interface Used {
  readonly count: number;
  readonly busyMs: number;
  readonly peak: number;
  readonly agent: AgentUse;
}
const none: Used = { count: 0, busyMs: 0, peak: 0, agent: noAgentUse };

const combined = (one: Used, other: Used): Used => ({
  count: one.count + other.count,
  busyMs: one.busyMs + other.busyMs,
  peak: Math.max(one.peak, other.peak),
  agent: addAgentUse(one.agent, other.agent),
});

/** In minutes, rounded to hundredths. */
const minutesOf = ({ busyMs }: Used): number => Math.round(busyMs / 600) / 100;

const values: Readonly<Record<Exclude<UsageMetric, 'storage.profile_bytes'>, (used: Used) => number>> = {
  'sessions.count': ({ count }) => count,
  'sessions.minutes': minutesOf,
  'sessions.concurrent_peak': ({ peak }) => peak,
  'agent.turns': ({ agent }) => agent.turns,
  'agent.input_tokens': ({ agent }) => agent.inputTokens,
  'agent.output_tokens': ({ agent }) => agent.outputTokens,
  'agent.cost_cents': ({ agent }) => agent.costCents,
};

/** Stored bytes at the end of a bucket; zero for a future one. Must be called in the order of the buckets. */
function storedBy(changes: readonly StorageChange[], now: Date): (start: number) => number {
  const byStart = new Map(changes);
  let stored = 0;
  return (start) => {
    stored += byStart.get(start) ?? 0;
    return start > now.getTime() ? 0 : stored;
  };
}

const lengths: Readonly<Record<UsageBucket, number>> = { hour: hourMs, day: 24 * hourMs };
/** Default length of the range without `from`, in buckets. */
const usualBuckets: Readonly<Record<UsageBucket, number>> = { hour: 24, day: 30 };

/** The last end of a bucket that has a year of four digits. */
const latestEnd = Date.UTC(9999, 11, 31, 23);

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The whole buckets that overlap the range. */
function rangeOf(bucket: UsageBucket, from: Date | null, to: Date | null, now: Date): Range {
  const length = lengths[bucket];
  const end = (to ?? now).getTime();
  const begin = from?.getTime() ?? end - usualBuckets[bucket] * length;
  if (begin >= end) throw invalid({ path: '/query/from', code: 'range', message: 'must be before to' });
  const [first, last] = [Math.floor(begin / length) * length, Math.ceil(end / length) * length];
  if ((last - first) / length > maxUsagePoints)
    throw invalid({
      path: '/query/from',
      code: 'range',
      message: `must be at most ${maxUsagePoints} ${bucket}s before to`,
    });
  // Postgres rejects a year of five digits.
  if (last > latestEnd)
    throw invalid({
      path: '/query/to',
      code: 'range',
      message: `must be at least one ${bucket} before the end of the year 9999`,
    });
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}

function startsOf(bucket: UsageBucket, { from, to }: Range): readonly number[] {
  const [first, length] = [Date.parse(from), lengths[bucket]];
  return Array.from({ length: (Date.parse(to) - first) / length }, (_, index) => first + index * length);
}

/** Usage by bucket of the range; running sessions count up to now. */
function usedIn(
  account: UsageOfAccount | undefined,
  { bucket, from, to }: Range & { readonly bucket: UsageBucket | 'month' },
  now: Date,
): ReadonlyMap<number, Used> {
  const used = new Map<number, Used>();
  for (const [start, count, busyMs, peak, turns, inputTokens, outputTokens, costCents] of account?.buckets ??
    [])
    used.set(start, { count, busyMs, peak, agent: { turns, inputTokens, outputTokens, costCents } });
  const latest = account?.latest;
  if (!latest) return used;
  const [first, end] = [Date.parse(from), Date.parse(to)];
  for (const hour of latest.running > 0 ? runOn(latest, now.getTime()) : [latest]) {
    if (hour.hour < first || hour.hour >= end) continue;
    const start = bucket === 'month' ? first : hour.hour - (hour.hour % lengths[bucket]);
    const { started: count, busyMs, peak, agent } = hour;
    used.set(start, combined(used.get(start) ?? none, { count, busyMs, peak, agent }));
  }
  return used;
}

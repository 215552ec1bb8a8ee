import { Count, Type, Timestamp, closed, oneOf, type Static } from '../schema.ts';

const Minutes = Type.Number({ minimum: 0 });

export const usageMetrics = [
  'sessions.count',
  'sessions.minutes',
  'sessions.concurrent_peak',
  'agent.turns',
  'agent.input_tokens',
  'agent.output_tokens',
  'agent.cost_cents',
  'storage.profile_bytes',
] as const;
export type UsageMetric = (typeof usageMetrics)[number];

export const usageBuckets = ['hour', 'day'] as const;
export type UsageBucket = (typeof usageBuckets)[number];

/** Maximum number of points in an answer. */
export const maxUsagePoints = 1000;

/** For the calendar month, in UTC. */
export const Usage = closed({
  period_start: Timestamp,
  period_end: Timestamp,
  sessions: closed({ count: Count, minutes: Minutes, concurrent_peak: Count }),
  agent: closed({ turns: Count, input_tokens: Count, output_tokens: Count, cost_cents: Count }),
  storage: closed({ profile_bytes: Count }),
  limits: closed({ concurrent_sessions: Count, api_keys: Count, webhooks: Count, proxies: Count }),
});
export type Usage = Static<typeof Usage>;

export const UsageSeriesQuery = {
  metric: Type.Optional(oneOf(usageMetrics, { default: 'sessions.count' })),
  bucket: Type.Optional(oneOf(usageBuckets, { default: 'day' })),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'By default 30 days before `to`, or one day before it if `bucket` is `hour`.',
    }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'By default now.' })),
};

/** One point per hour or day in UTC that overlaps the range. */
export const UsageSeries = closed({
  metric: oneOf(usageMetrics),
  bucket: oneOf(usageBuckets),
  points: Type.Array(closed({ t: Timestamp, value: Minutes }), { maxItems: maxUsagePoints }),
});
export type UsageSeries = Static<typeof UsageSeries>;

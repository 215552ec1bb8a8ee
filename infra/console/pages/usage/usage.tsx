import { useSignal } from '@preact/signals';
import {
  account,
  usage,
  type AccountLimits,
  type Usage,
  type UsageSeries,
} from '../../../../contracts/client/index.ts';
import { bytesText, moneyText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { Choice } from '../../parts/form.tsx';
import { InOrder } from '../../parts/in-order.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, durationText, timeText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection, owner } from '../../service.ts';
import { filled, quotaNames } from '../../strings.ts';
import { Plot } from './plot.tsx';
import { words } from './strings.ts';

const Month = ({
  of: { period_start: from, period_end: to, sessions, agent, storage },
}: {
  readonly of: Usage;
}) => (
  <>
    <h2>{words.thisMonth}</h2>
    <p class="hint">{filled(words.period, { from: timeText(from), to: timeText(to) })}</p>
    <Facts
      of={[
        [words.sessions, sessions.count.toLocaleString()],
        [words.minutes, sessions.minutes.toLocaleString()],
        [words.peak, sessions.concurrent_peak.toLocaleString()],
        [words.turns, agent.turns.toLocaleString()],
        [words.inputTokens, agent.input_tokens.toLocaleString()],
        [words.outputTokens, agent.output_tokens.toLocaleString()],
        [words.cost, moneyText(agent.cost_cents)],
        [words.storage, bytesText(storage.profile_bytes)],
      ]}
    />
  </>
);

function Over() {
  const metric = useSignal<string>('sessions.count');
  const bucket = useSignal<string>('day');
  const asked = { metric: metric.value, bucket: bucket.value } as Pick<UsageSeries, 'metric' | 'bucket'>;
  return (
    <>
      <h2>{words.over}</h2>
      <div class="filters">
        <Choice label={words.metric} value={metric} options={words.metrics} />
        <Choice label={words.bucket} value={bucket} options={words.buckets} />
      </div>
      <Read what={JSON.stringify(asked)} read={() => usage(connection).series(asked)}>
        {(series) => <Plot series={series} />}
      </Read>
    </>
  );
}

type Bucket = AccountLimits['buckets'][number];
type Quota = AccountLimits['more_quotas'][number];

const rates: readonly Column<Bucket>[] = [
  { name: words.limit, cell: ({ name }) => name },
  { name: words.left, cell: ({ remaining, capacity }) => `${remaining} / ${capacity}` },
  { name: words.perMinute, cell: ({ refill_per_minute: rate }) => rate, isMinor: true },
  {
    name: words.full,
    cell: ({ reset_seconds: seconds }) => seconds > 0 && durationText(seconds * 1000),
    isMinor: true,
  },
];

const quotas: readonly Column<Quota>[] = [
  { name: words.limit, cell: ({ name }) => quotaNames[name] ?? name },
  { name: words.used, cell: ({ used }) => used },
  { name: words.left, cell: ({ used, limit }) => Math.max(limit - used, 0) },
];

const Limits = ({ of: limits }: { readonly of: AccountLimits }) => (
  <>
    <h2>{words.quotas}</h2>
    <Table
      name={words.quotas}
      items={[...limits.quotas, ...limits.more_quotas]}
      keyOf={({ name }) => name}
      columns={quotas}
    />
    <h2>{words.rates}</h2>
    <Table name={words.rates} items={limits.buckets} keyOf={({ name }) => name} columns={rates} />
  </>
);

const OwnLimits = () => (
  <Read what="limits" read={() => account(connection).rateLimits()}>
    {(limits) => <Limits of={limits} />}
  </Read>
);

/** The account's usage over time, and against the limits of the user's own account. */
export const UsagePage = () => (
  <Page title={words.usage}>
    <InOrder
      parts={[
        <Read what="usage" read={() => usage(connection).get()}>
          {(month) => <Month of={month} />}
        </Read>,
        <Over />,
        // Those of the account in the header are not readable; the user's own would be mistaken for them.
        ...(owner === undefined ? [<OwnLimits />] : []),
      ]}
    />
  </Page>
);

import { account, usage } from '../../../../contracts/client/index.ts';
import { bytesText } from '../../parts/amounts.ts';
import { Read } from '../../parts/read.tsx';
import { Facts } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection, owner } from '../../service.ts';
import { quotaNames } from '../../strings.ts';
import { words } from './strings.ts';

interface Quota {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

const number = new Intl.NumberFormat();

const columns: readonly Column<Quota>[] = [
  { name: words.what, cell: ({ name }) => quotaNames[name] ?? name },
  {
    name: words.used,
    cell: ({ name, used, limit }) => (
      <>
        <meter
          aria-label={quotaNames[name] ?? name}
          max={limit}
          high={limit * 0.8}
          optimum={0}
          value={used}
        />{' '}
        {number.format(used)}
      </>
    ),
  },
  { name: words.limit, cell: ({ limit }) => number.format(limit) },
];

const EVERY_MS = 60_000;

/** Loads both at once, so that neither shifts the other when it arrives. */
async function both() {
  const [limits, month] = await Promise.all([
    owner === undefined ? account(connection).rateLimits() : undefined,
    usage(connection).get(),
  ]);
  return { quotas: limits && [...limits.quotas, ...limits.more_quotas], month };
}

/** Usage of this month, and the quotas of the user's own account. */
export const Limits = () => (
  <section>
    <h2>{words.limits}</h2>
    <Read what={words.limits} read={both} everyMs={EVERY_MS}>
      {({ quotas, month: { sessions, agent, storage } }) => (
        <>
          {quotas && (
            <Table name={words.limits} items={quotas} keyOf={({ name }: Quota) => name} columns={columns} />
          )}
          <h3>{words.month}</h3>
          <Facts
            of={[
              [words.sessionsCount, number.format(sessions.count)],
              [words.minutes, number.format(sessions.minutes)],
              [words.peak, number.format(sessions.concurrent_peak)],
              [words.turns, number.format(agent.turns)],
              [words.bytes, bytesText(storage.profile_bytes)],
            ]}
          />
        </>
      )}
    </Read>
  </section>
);

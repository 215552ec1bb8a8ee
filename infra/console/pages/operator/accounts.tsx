import { useRoute } from 'preact-iso';
import type { OperatorAccount } from '../../../../contracts/operator.ts';
import { Page } from '../../parts/card.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Id, Json, Status, Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { service } from './service.ts';
import { StreamLink } from './stream-link.tsx';
import { words } from './strings.ts';

const columns: readonly Column<OperatorAccount>[] = [
  { name: words.account, cell: ({ id }) => <code>{id}</code> },
  { name: words.status, cell: (account) => <State of={account} /> },
  { name: words.tier, cell: ({ tier }) => tier },
  { name: words.liveSessions, cell: ({ live_sessions }) => live_sessions },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

function State({ of: { suspended_at, erased_at } }: { readonly of: OperatorAccount }) {
  if (erased_at !== null) return <Status tone="over" word={words.erased} />;
  return suspended_at === null ? (
    <Status tone="good" word={words.active} />
  ) : (
    <Status tone="bad" word={words.suspended} />
  );
}

/** The newest accounts. */
export const Accounts = () => (
  <Page title={words.accounts}>
    <p class="hint">{words.newestAccounts}</p>
    <Read what="accounts" read={() => service.accounts()}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noAccount}</p>
        ) : (
          <Table
            name={words.accounts}
            items={data}
            keyOf={({ id }) => id}
            columns={columns}
            hrefOf={({ id }) => addressOf(`/accounts/${id}`)}
          />
        )
      }
    </Read>
  </Page>
);

/** One account, with its stream. */
export function AccountPage() {
  const { id = '' } = useRoute().params;
  return (
    <Page title={words.account}>
      <p>
        <Id id={id} isHere />
      </p>
      <Read what={id} read={() => service.account(id)}>
        {(account) => (
          <>
            <Json value={account} />
            <p>
              <StreamLink name={`account-${id.replace('acc_', '')}`} />
            </p>
          </>
        )}
      </Read>
    </Page>
  );
}

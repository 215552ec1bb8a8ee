import { account, type UsedDeprecation } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const columns: readonly Column<UsedDeprecation>[] = [
  { name: words.route, cell: ({ route }) => <code>{route}</code> },
  { name: words.field, cell: ({ field }) => field && <code>{field}</code> },
  { name: words.sunset, cell: ({ sunset }) => <Time at={sunset} /> },
  { name: words.replacement, cell: ({ replacement }) => replacement },
  { name: words.lastUsed, cell: ({ last_used }) => <Time at={last_used} />, isMinor: true },
];

/** Deprecated routes that the account still calls. */
export const Deprecations = () => (
  <Page title={words.deprecations}>
    <Read what="deprecations" read={() => account(connection).deprecations()}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noDeprecation}</p>
        ) : (
          <Table name={words.deprecations} items={data} keyOf={({ id }) => id} columns={columns} />
        )
      }
    </Read>
  </Page>
);

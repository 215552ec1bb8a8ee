import type { OperatorParked } from '../../../../contracts/operator.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { service } from './service.ts';
import { StreamLink } from './stream-link.tsx';
import { words } from './strings.ts';

const columns: readonly Column<OperatorParked>[] = [
  { name: words.readModel, cell: ({ projection }) => projection },
  { name: words.row, cell: ({ row }) => <code>{row}</code>, isMinor: true },
  { name: words.event, cell: ({ event_type }) => event_type },
  { name: words.stream, cell: ({ stream }) => <StreamLink name={stream} /> },
  { name: words.tries, cell: ({ attempts }) => attempts, isMinor: true },
  { name: words.reason, cell: ({ reason }) => reason },
];

async function retry(): Promise<string> {
  const { applied, still_parked: left } = await service.retry();
  return filled(words.retried, { applied, left });
}

/** Events that no read model could apply. */
export const Parked = () => (
  <Page title={words.parked} actions={<Act label={words.retry} kind="main" act={retry} />}>
    <p class="hint">{words.parkedText}</p>
    <Read what="parked" read={() => service.parked()}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noParked}</p>
        ) : (
          <Table
            name={words.parked}
            items={data}
            keyOf={({ projection, event_id }) => `${projection} ${event_id}`}
            columns={columns}
          />
        )
      }
    </Read>
  </Page>
);

import { Read } from '../../parts/read.tsx';
import { Id, Status, Time, durationText, type Tone } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { operationsOf, type Operation } from './operations.ts';
import { words } from './strings.ts';

const tones: Readonly<Record<Operation['outcome'], Tone>> = {
  succeeded: 'good',
  failed: 'bad',
  unknown: 'wait',
};

const columns: readonly Column<Operation>[] = [
  { name: words.operation, cell: ({ name }) => name },
  {
    name: words.result,
    cell: ({ outcome, why }) => (
      <>
        <Status tone={tones[outcome]} word={words.outcomes[outcome]} /> {why !== '' && <code>{why}</code>}
      </>
    ),
  },
  { name: words.took, cell: ({ durationMs }) => durationMs !== undefined && durationText(durationMs) },
  { name: words.when, cell: ({ at }) => <Time at={at} /> },
  {
    name: words.request,
    cell: ({ requestId }) => requestId && <Id id={requestId} kind="req_" />,
    isMinor: true,
  },
];

/** The browser's operations with their outcomes. */
export const Timeline = ({ id }: { readonly id: string }) => (
  <section>
    <h2>{words.timeline}</h2>
    <p class="hint">{words.timelineHint}</p>
    <Read what={id} read={() => operationsOf(connection, id)}>
      {(operations) =>
        operations.length === 0 ? (
          <p class="empty">{words.noOperations}</p>
        ) : (
          <Table
            name={words.timeline}
            items={operations}
            keyOf={({ position }) => position}
            columns={columns}
          />
        )
      }
    </Read>
  </section>
);

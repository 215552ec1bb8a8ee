import type { OperatorNode } from '../../../../contracts/operator.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Id, Status } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { service } from './service.ts';
import { StreamLink } from './stream-link.tsx';
import { words } from './strings.ts';

const columns: readonly Column<OperatorNode>[] = [
  { name: words.node, cell: ({ node_id }) => <Id id={node_id} /> },
  { name: words.name, cell: ({ name }) => name },
  { name: words.driver, cell: ({ driver }) => driver, isMinor: true },
  { name: words.state, cell: (node) => <State of={node} /> },
  { name: words.address, cell: ({ url }) => <code>{url}</code>, isMinor: true },
  { name: words.running, cell: (node) => <Running of={node} /> },
  { name: words.do, cell: (node) => <Change of={node} /> },
];

interface Part {
  readonly of: OperatorNode;
}

function State({ of: { live, draining } }: Part) {
  if (!live) return <Status tone="bad" word={words.lost} />;
  return draining ? <Status tone="wait" word={words.draining} /> : <Status tone="good" word={words.live} />;
}

const Running = ({ of: { sessions, capacity } }: Part) => (
  <>
    {filled(words.occupied, { count: sessions.length, capacity })}
    <ul class="changes">
      {sessions.map((id) => (
        <li key={id}>
          <StreamLink name={`session-${id.replace('ses_', '')}`} />
        </li>
      ))}
    </ul>
  </>
);

const Change = ({ of: { node_id: id, draining } }: Part) =>
  draining ? (
    <Act label={words.undrain} act={async () => void (await service.undrain(id))} />
  ) : (
    <Act
      label={words.drain}
      question={{ title: words.drainTitle, text: words.drainText, confirm: words.drain }}
      act={async () => void (await service.drain(id))}
    />
  );

/** The nodes, with their browsers. */
export const Nodes = () => (
  <Page title={words.nodes}>
    <Read what="nodes" read={() => service.nodes()} everyMs={2_000}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noNode}</p>
        ) : (
          <Table name={words.nodes} items={data} keyOf={({ node_id }) => node_id} columns={columns} />
        )
      }
    </Read>
  </Page>
);

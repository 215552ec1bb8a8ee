import { useRoute } from 'preact-iso';
import type { RequestTree } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, durationText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { service } from './service.ts';
import { StreamLink } from './stream-link.tsx';
import { words } from './strings.ts';

interface Placed {
  readonly event: RequestTree['events'][number];
  /** Type of the event that caused it. */
  readonly cause: string;
  readonly afterMs: number;
}

const columns: readonly Column<Placed>[] = [
  { name: words.event, cell: ({ event: { type } }) => type },
  { name: words.stream, cell: ({ event: { stream } }) => <StreamLink name={stream} /> },
  { name: words.followsFrom, cell: ({ cause }) => cause },
  { name: words.by, cell: ({ event: { by, name } }) => `${by} ${name ?? ''}`, isMinor: true },
  { name: words.later, cell: ({ afterMs }) => durationText(afterMs), isMinor: true },
];

function placed({ request: { at }, events }: RequestTree): readonly Placed[] {
  const types = new Map(events.map(({ id, type }) => [id, type]));
  return events.map((event) => ({
    event,
    cause: types.get(event.cause ?? '') ?? words.itself,
    afterMs: Math.max(0, Date.parse(event.at) - Date.parse(at)),
  }));
}

/** All events caused by a request, across accounts. */
export function Trace() {
  const { id = '' } = useRoute().params;
  return (
    <Page title={words.trace}>
      <Read what={id} read={() => service.trace(id)}>
        {(tree) => (
          <>
            <Facts
              of={[
                [words.request, <Id id={tree.request.id} isHere />],
                [words.route, tree.request.path && `${tree.request.method} ${tree.request.path}`],
                [words.answered, tree.request.status && String(tree.request.status)],
                [words.when, <Time at={tree.request.at} />],
              ]}
            />
            <Table
              name={words.trace}
              items={placed(tree)}
              keyOf={({ event }) => event.id}
              columns={columns}
            />
            {tree.has_more && <p>{words.more}</p>}
          </>
        )}
      </Read>
    </Page>
  );
}

import type { OperatorParked, OperatorReaction } from '../../../../contracts/operator.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Time } from '../../parts/record.tsx';
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

const reactionColumns: readonly Column<OperatorReaction>[] = [
  { name: words.process, cell: ({ process }) => process },
  { name: words.event, cell: ({ event_type }) => event_type },
  { name: words.stream, cell: ({ stream }) => <StreamLink name={stream} /> },
  { name: words.parkedSince, cell: ({ parked_at }) => <Time at={parked_at} />, isMinor: true },
  { name: words.tries, cell: ({ attempts }) => attempts, isMinor: true },
  { name: words.reason, cell: ({ reason }) => reason },
];

async function retry(): Promise<string> {
  const { applied, still_parked: left } = await service.retry();
  return filled(words.retried, { applied, left });
}

async function retryReactions(): Promise<string> {
  const { took_effect: done, still_parked: left, not_tried: count } = await service.retryReactions();
  const said = filled(words.reactionsRetried, { done, left });
  return count === 0 ? said : `${said} ${filled(words.notTried, { count })}`;
}

/** Parked events of read models, and parked reactions of process managers. */
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
    <Reactions />
  </Page>
);

const Reactions = () => (
  <section>
    <div class="heading">
      <h2>{words.reactions}</h2>
      <div class="buttons">
        <Act label={words.retryReactions} act={retryReactions} />
      </div>
    </div>
    <p class="hint">{words.reactionsText}</p>
    <Read what="reactions" read={() => service.reactions()}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noReaction}</p>
        ) : (
          <Table
            name={words.reactions}
            items={data}
            keyOf={({ process, event_id }) => `${process} ${event_id}`}
            columns={reactionColumns}
          />
        )
      }
    </Read>
  </section>
);

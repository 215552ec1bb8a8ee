import { agents, type AgentSession } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import type { Filter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Time, shortId } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { AgentStatus, tokensOf } from './agent-status.tsx';
import { words } from './strings.ts';

const columns: readonly Column<AgentSession>[] = [
  { name: words.id, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { name: words.status, cell: ({ status }) => <AgentStatus status={status} /> },
  { name: words.mode, cell: ({ mode }) => words.modes[mode] },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: words.model, cell: ({ model }) => model, isMinor: true },
  { name: words.tokens, cell: tokensOf, isMinor: true },
];

const filters: readonly Filter<AgentSession>[] = [
  {
    ...{ name: 'status', label: words.status, options: words.statuses },
    fits: ({ status }, value) => status === value,
  },
  { ...{ name: 'mode', label: words.mode, options: words.modes }, fits: ({ mode }, value) => mode === value },
];

export const Agents = () => (
  <Page
    title={words.agents}
    actions={
      <a class="button" href={addressOf('/agents/new')}>
        {words.start}
      </a>
    }
  >
    <List
      name={words.agents}
      read={(asked) => agents(connection).list(asked)}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ id }) => placeOf(id)}
      filters={filters}
      empty={words.none}
    />
  </Page>
);

import { sessions, type Session } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { endOfDay, startOfDay } from '../../parts/days.ts';
import type { Filter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time, durationText, shortId } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { NewSession } from './new-session.tsx';
import { SessionStatus } from './session-status.tsx';
import { words } from './strings.ts';

const columns: readonly Column<Session>[] = [
  { name: words.id, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { name: words.status, cell: ({ status }) => <SessionStatus status={status} /> },
  { name: words.label, cell: ({ label }) => label },
  { name: words.archetype, cell: ({ archetype }) => archetype, isMinor: true },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: words.lasted, cell: ({ ready_at, destroyed_at }) => lasted(ready_at, destroyed_at), isMinor: true },
];

const lasted = (from: string | null, to: string | null): string =>
  from === null || to === null ? '' : durationText(Date.parse(to) - Date.parse(from));

const filters: readonly Filter<Session>[] = [
  {
    name: 'status',
    label: words.status,
    options: words.statuses,
    fits: ({ status }, value) => status === value,
  },
  {
    name: 'label',
    label: words.label,
    fits: ({ label }, value) => label.toLowerCase().includes(value.toLowerCase()),
  },
  {
    ...{ name: 'from', label: words.from, type: 'date' },
    fits: ({ created_at }, value) => !(new Date(created_at) < startOfDay(value)),
  },
  {
    ...{ name: 'to', label: words.to, type: 'date' },
    fits: ({ created_at }, value) => !(new Date(created_at) >= endOfDay(value)),
  },
];

const changedBy = ['session.completed', 'session.failed'];

export const Sessions = () => (
  <Page title={words.sessions} actions={<NewSession />}>
    <List
      name={words.sessions}
      read={(asked) => sessions(connection).list(asked)}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ id }) => placeOf(id)}
      filters={filters}
      empty={words.none}
      changedBy={changedBy}
    />
  </Page>
);

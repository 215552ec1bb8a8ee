import { sessions, type HistoryEntry } from '../../../../contracts/client/index.ts';
import { List } from '../../parts/list.tsx';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { RequestId } from './request-id.tsx';
import { words } from './strings.ts';

const textOf = (value: unknown): string =>
  value === undefined || value === null || value === '' ? words.nothing : JSON.stringify(value);

const Changes = ({ changes }: Pick<HistoryEntry, 'changes'>) => (
  <ul class="changes">
    {changes.map(({ path, before, after }) => (
      <li key={path}>
        {filled(words.change, { path: path.slice(1), before: textOf(before), after: textOf(after) })}
      </li>
    ))}
  </ul>
);

const columns: readonly Column<HistoryEntry>[] = [
  { name: words.when, cell: ({ at }) => <Time at={at} /> },
  { name: words.what, cell: ({ action }) => <code>{action}</code> },
  { name: words.who, cell: ({ actor }) => words.actors[actor.kind], isMinor: true },
  { name: words.changes, cell: ({ changes }) => <Changes changes={changes} /> },
  { name: words.request, cell: ({ request_id: id }) => id && <RequestId id={id} /> },
];

/** What has changed the session; the request of each entry leads to all that it caused. */
export const History = ({ id }: { readonly id: string }) => (
  <section>
    <h2>{words.history}</h2>
    <List
      name={words.history}
      read={(asked) => sessions(connection).past(id, asked)}
      keyOf={({ position }) => position}
      columns={columns}
      empty={words.noHistory}
    />
  </section>
);

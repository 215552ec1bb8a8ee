import { useSignal } from '@preact/signals';
import { agents, type HistoryEntry } from '../../../../contracts/client/index.ts';
import { List } from '../../parts/list.tsx';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
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
];

/** What has changed the agent session, newest first. */
export function History({ id }: { readonly id: string }) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{words.history}</summary>
      {isOpen.value && (
        <List
          name={words.history}
          read={(asked) => agents(connection).past(id, asked)}
          keyOf={({ position }) => position}
          columns={columns}
          empty={words.noHistory}
        />
      )}
    </details>
  );
}

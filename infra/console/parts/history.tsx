import { useSignal } from '@preact/signals';
import type { HistoryEntry, List as Pages } from '../../../contracts/client/index.ts';
import { filled, words } from '../strings.ts';
import { List } from './list.tsx';
import { Id, Time } from './record.tsx';
import type { Asked } from './rows.ts';
import type { Column } from './table.tsx';

const textOf = (value: unknown): string =>
  value === undefined || value === null || value === '' ? words.nothing : JSON.stringify(value);

type Change = HistoryEntry['changes'][number];

/** A field that was absent and is now empty is not shown as a change. */
const isSeen = ({ before, after }: Change): boolean => textOf(before) !== textOf(after);

const What = ({ action, changes }: Pick<HistoryEntry, 'action' | 'changes'>) => (
  <>
    <code>{action}</code>
    <ul class="changes">
      {changes.filter(isSeen).map(({ path, before, after }) => (
        <li key={path}>
          {filled(words.change, { path: path.slice(1), before: textOf(before), after: textOf(after) })}
        </li>
      ))}
    </ul>
  </>
);

const columns: readonly Column<HistoryEntry>[] = [
  { name: words.when, cell: ({ at }) => <Time at={at} /> },
  { name: words.what, cell: (entry) => <What {...entry} /> },
  { name: words.who, cell: ({ actor }) => words.actors[actor.kind], isMinor: true },
  { name: words.requestId, cell: ({ request_id: id }) => id && <Id id={id} kind="req_" /> },
];

interface HistoryProps {
  /** Reads a page: the client's `past` method for the resource. */
  readonly read: (asked: Asked) => Pages<HistoryEntry>;
}

/** History of a resource, read when it is expanded; each entry links to the trace of its request. */
export function History({ read }: HistoryProps) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{words.history}</summary>
      {isOpen.value && (
        <List
          name={words.history}
          read={read}
          keyOf={({ position }) => position}
          columns={columns}
          empty={words.noHistory}
        />
      )}
    </details>
  );
}

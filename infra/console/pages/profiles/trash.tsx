import { profiles, type TrashedProfile } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { bytesText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { List } from '../../parts/list.tsx';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = profiles(connection);

const columns: readonly Column<TrashedProfile>[] = [
  { name: words.name, cell: ({ name }) => name },
  { name: words.size, cell: ({ storage_bytes: bytes }) => bytesText(bytes), isMinor: true },
  { name: words.trashed, cell: ({ trashed_at }) => <Time at={trashed_at} />, isMinor: true },
  { name: words.purgeAt, cell: ({ purge_at }) => <Time at={purge_at} /> },
  { name: words.do, cell: (profile) => <Fate of={profile} /> },
];

const Fate = ({ of: { id, name } }: { readonly of: TrashedProfile }) => (
  <div class="buttons">
    <Act label={words.restore} act={async () => void (await service.restore(id))} />
    <Act
      label={words.purge}
      kind="danger"
      question={{
        title: filled(words.purgeTitle, { name }),
        text: words.purgeText,
        confirm: words.purge,
        typed: name,
      }}
      act={() => service.purge(id)}
    />
  </div>
);

export const Trash = () => (
  <Page title={words.trash}>
    <List
      name={words.trash}
      read={(asked) => service.trash(asked)}
      keyOf={({ id }) => id}
      columns={columns}
      empty={words.emptyTrash}
    />
  </Page>
);

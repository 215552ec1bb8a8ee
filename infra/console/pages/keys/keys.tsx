import { useSignal } from '@preact/signals';
import { keys, type ApiKey } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import type { Filter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { Once } from '../../parts/once.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { KeyStatus } from './key-status.tsx';
import { NewKey } from './new-key.tsx';
import { words } from './strings.ts';

const columns: readonly Column<ApiKey>[] = [
  { name: words.name, cell: ({ name }) => name },
  { name: words.ending, cell: ({ prefix, last4 }) => <code>{`${prefix}…${last4}`}</code> },
  { name: words.status, cell: ({ status }) => <KeyStatus status={status} /> },
  { name: words.scopes, cell: ({ scopes }) => scopes.join(', '), isMinor: true },
  { name: words.lastUsed, cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />) },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const filters: readonly Filter<ApiKey>[] = [
  {
    ...{ name: 'status', label: words.status, options: words.statuses },
    fits: ({ status }, value) => status === value,
  },
];

const changedBy = ['api_key.revoked'];

export function Keys() {
  const made = useSignal<string | undefined>(undefined);
  return (
    <Page
      title={words.keys}
      actions={
        <Opens label={words.newKey} kind="main">
          {(close) => (
            <NewKey
              onMade={(key) => {
                made.value = key;
                close();
              }}
            />
          )}
        </Opens>
      }
    >
      {made.value !== undefined && (
        <Once
          title={words.once}
          text={made.value}
          file={words.file}
          onKept={() => (made.value = undefined)}
        />
      )}
      <List
        name={words.keys}
        read={(asked) => keys(connection).list(asked)}
        keyOf={({ id }) => id}
        columns={columns}
        hrefOf={({ id }) => placeOf(id)}
        filters={filters}
        empty={words.none}
        changedBy={changedBy}
      />
    </Page>
  );
}

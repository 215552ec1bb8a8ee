import { causeOf } from '../../contracts/events/metadata.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { dayOf } from '../../infra/postgres/index.ts';
import { allEvents, type Projection } from '../engine/projection.ts';
import {
  column,
  optionalTextOf,
  writeRows,
  type Positioned,
  type RowOf,
  type Table,
} from '../engine/table.ts';

const columns = {
  /** Day of the append, in days since 1970. */
  day: column.integer,
  id: column.text,
  /** The root, such as a request. */
  root: column.text,
  /** The causing event; null for direct effects of the root. */
  cause: column.optionalText,
  by: column.optionalText,
  account_id: optionalTextOf<AccountId>(),
  type: column.text,
  stream: column.text,
  at: column.time,
};
export type CauseRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'causes',
  columns,
  key: ['id', 'day'],
  indexes: ['(root)'],
  handlers: 1,
  byDay: true,
};

/** The cause of each event of the last days, and so the effects of each request. Contains no event data. */
export const causes: Projection = {
  name: table.name,
  table,
  ...allEvents,
  rowOf: ({ id }) => id,
  open: (client, schema) => {
    const rows: Positioned<CauseRow>[] = [];
    return Promise.resolve({
      apply({ id, type, stream, metadata, created, position }) {
        rows.push({
          row: {
            day: dayOf(created),
            id,
            root: metadata.correlation_id,
            cause: causeOf(metadata),
            by: metadata.by ?? null,
            account_id: ownerOf({ metadata }) ?? null,
            type,
            stream,
            at: metadata.occurred_at,
          },
          position,
        });
      },
      // An event stored twice has one row.
      write: () => writeRows(client, schema, table, 'insert missing', rows),
    });
  },
};

import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { AccountId, IdKind } from '../../contracts/ids.ts';
import type { Stored } from '../../contracts/record.ts';
import type { RecordState } from '../../domain/kit/record.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { readModel, type ReadModel } from './read-model.ts';
import { column, digest, jsonOf, textOf, type RowOf } from './table.ts';

const columns = {
  id: column.text,
  account_id: textOf<AccountId>(),
  status: textOf<'live' | 'deleted'>(),
  /** In the form of the events. */
  fields: jsonOf<unknown>(),
  created_at: column.time,
  updated_at: column.time,
};
export type RecordRow = RowOf<typeof columns>;

interface Folding {
  readonly category: Category;
  evolve(state: RecordState<unknown>, event: DomainEvent): RecordState<unknown>;
}

/** A table whose rows are the states of a noun's records, made by its rule's own fold. */
export function recordReadModel(
  name: string,
  kind: IdKind,
  { category, evolve }: Folding,
): ReadModel<typeof columns> {
  const [created = '', ...others] = Object.keys(category.types).filter((type) => !type.endsWith('Withdrawn'));
  const fold = (row: RecordRow | undefined, event: RecordedEvent): RecordRow => {
    const state = evolve(
      row === undefined ? { status: 'none' } : { status: row.status, ...recordOf(row) },
      event,
    );
    if (state.status === 'none' || state.status === 'withdrawn')
      throw new Error(`${event.type} changes a record that is not there`);
    const { id, accountId, status, fields, createdAt, updatedAt } = state;
    return { id, account_id: accountId, status, fields, created_at: createdAt, updated_at: updatedAt };
  };
  return readModel(name, {
    of: category,
    id: kind,
    columns,
    indexes: [`(account_id, created_at desc, id desc) where status = 'live'`],
    // The fields are one column, so only the events' schemas show their changes.
    handlers: digest(JSON.stringify(category.types)),
    creates: { [created]: (event: RecordedEvent) => fold(undefined, event) },
    changes: Object.fromEntries(
      others.map((type) => [type, (event: RecordedEvent, row: RecordRow) => fold(row, event)]),
    ),
  });
}

/** The record of a row. */
export const recordOf = (row: RecordRow): Stored<unknown> => ({
  id: row.id,
  accountId: row.account_id,
  fields: row.fields,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

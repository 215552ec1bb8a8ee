import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import { toId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { readModel, type ReadModel } from './read-model.ts';
import { column, digest, jsonOf, type RowOf } from './table.ts';

const columns = { id: column.text, state: jsonOf<unknown>() };
export type StateRow = RowOf<typeof columns>;

interface Folding<State> {
  readonly category: Category;
  readonly initialState: State;
  evolve(state: State, event: DomainEvent): State;
}

/** A read model with the states of a category's streams. */
export interface StateReadModel<State> extends ReadModel<typeof columns> {
  /** The state of a row; without a row, the initial state. */
  readonly stateOf: (row: Pick<StateRow, 'state'> | undefined) => State;
}

interface StateTable {
  /** Row id of a stream. Default: the category has one stream per account. */
  readonly idOf?: (uuid: string) => string;
  readonly indexes?: readonly string[];
}

/** A table whose rows are the states of a decider, made by its own fold. */
export function stateReadModel<State>(
  name: string,
  { category, initialState, evolve }: Folding<State>,
  { idOf = (uuid) => toId('account', uuid), indexes = [] }: StateTable = {},
): StateReadModel<State> {
  // Only this fold writes the column.
  const stateOf = (row: Pick<StateRow, 'state'> | undefined) =>
    row === undefined ? initialState : (row.state as State);
  const id = ({ stream }: RecordedEvent): string => idOf(stream.slice(category.name.length + 1));
  const fold = (event: RecordedEvent & { readonly data: unknown }, row: StateRow | undefined): StateRow => ({
    id: id(event),
    state: evolve(stateOf(row), event),
  });
  const model = readModel(name, {
    of: category,
    id,
    columns,
    indexes,
    // The state is one column, so only the events' schemas show its changes.
    handlers: digest(JSON.stringify(category.types)),
    creates: {},
    folds: Object.fromEntries(Object.keys(category.types).map((type) => [type, fold])),
  });
  return { ...model, stateOf };
}

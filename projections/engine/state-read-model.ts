import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import { toId, type AccountId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { readModel, type ReadModel } from './read-model.ts';
import { digest, jsonOf, textOf, type RowOf } from './table.ts';

const columns = {
  /** Of the account. */
  id: textOf<AccountId>(),
  state: jsonOf<unknown>(),
};
export type StateRow = RowOf<typeof columns>;

interface Folding<State> {
  readonly category: Category;
  readonly initialState: State;
  evolve(state: State, event: DomainEvent): State;
}

/** A read model of a category that has one stream for each account, with how its states are asked for. */
export interface StateReadModel<State> extends ReadModel<typeof columns> {
  /** The state in a row; without a row, that of an account which has no such stream. */
  readonly stateOf: (row: Pick<StateRow, 'state'> | undefined) => State;
}

/** A table whose rows are the states of a decider, one for each account: its rule's own fold makes them. */
export function stateReadModel<State>(
  name: string,
  { category, initialState, evolve }: Folding<State>,
): StateReadModel<State> {
  // Only this fold writes the column, and only with states.
  const stateOf = (row: Pick<StateRow, 'state'> | undefined) =>
    row === undefined ? initialState : (row.state as State);
  const fold = (event: RecordedEvent & { readonly data: unknown }, row: StateRow | undefined): StateRow => ({
    id: toId('account', event.stream.slice(category.name.length + 1)),
    state: evolve(stateOf(row), event),
  });
  const model = readModel(name, {
    of: category,
    id: 'account',
    columns,
    // The state is one column, so that only the events' schemas say that its shape is another one.
    handlers: digest(JSON.stringify(category.types)),
    creates: {},
    folds: Object.fromEntries(Object.keys(category.types).map((type) => [type, fold])),
  });
  return { ...model, stateOf };
}

import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { digest } from './table.ts';

interface Folding<State> {
  readonly category: Category;
  readonly initialState: State;
  evolve(state: State, event: DomainEvent): State;
}

/**
 * The handlers of a table whose rows are the states of a decider, in a column `state`: its own fold makes them. The first
 * event type of the category begins a row; `without` are the types that leave none.
 */
export function stateRows<State, Row extends { readonly state: unknown }>(
  { category, initialState, evolve }: Folding<State>,
  without: readonly string[],
  rowOf: (state: State) => Row,
) {
  const [created = '', ...others] = Object.keys(category.types).filter((type) => !without.includes(type));
  // Only this fold writes the column, and only with states.
  const fold = (event: RecordedEvent, row: Row | undefined) =>
    rowOf(evolve(row === undefined ? initialState : (row.state as State), event));
  return {
    // The state is one column, so that only the events' schemas say that its shape is another one.
    handlers: digest(JSON.stringify(category.types)),
    creates: { [created]: (event: RecordedEvent) => fold(event, undefined) },
    changes: Object.fromEntries(others.map((type) => [type, fold])),
  };
}

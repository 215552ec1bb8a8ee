import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { digest } from './table.ts';

interface Folding<State> {
  readonly category: Category;
  readonly initialState: State;
  readonly stateVersion?: number;
  evolve(state: State, event: DomainEvent): State;
}

/**
 * Handlers of a table with the states of a decider in the column `state`, made by its own fold. The category's first event type
 * creates a row; `without`: types that leave no row.
 */
export function stateRows<State, Row extends { readonly state: unknown }>(
  { category, initialState, evolve, stateVersion }: Folding<State>,
  without: readonly string[],
  rowOf: (state: State) => Row,
) {
  const [created = '', ...others] = Object.keys(category.types).filter((type) => !without.includes(type));
  // Only this fold writes the column.
  const fold = (event: RecordedEvent, row: Row | undefined) =>
    rowOf(evolve(row === undefined ? initialState : (row.state as State), event));
  return {
    // The state is one column, so only the events' schemas and its own version show its changes.
    handlers: digest(`${JSON.stringify(category.types)}${stateVersion ?? ''}`),
    creates: { [created]: (event: RecordedEvent) => fold(event, undefined) },
    changes: Object.fromEntries(others.map((type) => [type, fold])),
  };
}

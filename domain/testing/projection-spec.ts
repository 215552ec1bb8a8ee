import assert from 'node:assert/strict';

/**
 * The fold of a read model: an event's row, and the row after the event. `null` or `undefined` means no row; an event type
 * without a handler leaves the row unchanged.
 */
export interface RowFold<Event extends { readonly type: string }, Row> {
  readonly key: (event: Event) => string | null | undefined;
  readonly on: Readonly<
    Record<string, ((row: Row | undefined, event: Event) => Row | null | undefined) | undefined>
  >;
}

export interface Rows<Row> {
  /** Exactly these rows, in the order of their first events. */
  readonly then: (...rows: readonly Row[]) => void;
}

export interface ProjectionSpec<Event, Row> {
  readonly given: (...events: readonly Event[]) => Rows<Row>;
}

/** `const { given } = projectionSpec(sessions)`: a test of a read model reads as `given(events).then(rows)`. */
export function projectionSpec<Event extends { readonly type: string }, Row>(
  model: RowFold<Event, Row>,
): ProjectionSpec<Event, Row> {
  return {
    given: (...events) => ({
      then: (...expected) => assert.deepStrictEqual(foldRows(model, events), expected),
    }),
  };
}

function foldRows<Event extends { readonly type: string }, Row>(
  model: RowFold<Event, Row>,
  events: readonly Event[],
): Row[] {
  const rows = new Map<string, Row>();
  for (const event of events) {
    const handle = model.on[event.type];
    const key = model.key(event);
    if (handle === undefined || key === null || key === undefined) continue;
    const row = handle(rows.get(key), event);
    if (row === null || row === undefined) rows.delete(key);
    else rows.set(key, row);
  }
  return [...rows.values()];
}

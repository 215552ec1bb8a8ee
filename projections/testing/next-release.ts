import { sessionEvents } from '../../contracts/events/session.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { projections } from '../index.ts';
import type { Projection } from '../engine/projection.ts';
import { readModel } from '../engine/read-model.ts';
import { sessions } from '../read-models/session.ts';
import { column, type RowOf } from '../engine/table.ts';

const columns = { ...sessions.table.columns, events: column.integer };
type CountingRow = RowOf<typeof columns>;

function folded(row: RowOf<typeof sessions.table.columns> | undefined, event: RecordedEvent) {
  const handler = sessions.on[event.type];
  if (handler === undefined) throw new Error(`Sessions have no use for ${event.type}.`);
  return handler(row, event);
}
const counted = (event: RecordedEvent, row: CountingRow): CountingRow => ({
  ...folded(row, event),
  events: row.events + 1,
});

/** The sessions table of a future release, with one more column, which requires old events. */
export const counting = readModel('sessions', {
  of: sessionEvents,
  id: 'session',
  columns,
  indexes: sessions.table.indexes,
  handlers: 2,
  creates: { SessionRequested: (event) => ({ ...folded(undefined, event), events: 1 }) },
  changes: {
    SessionReady: counted,
    SessionErrored: counted,
    SessionDestroyed: counted,
    OperationClaimed: counted,
    OperationSettled: counted,
    EgressCapabilitiesReported: counted,
  },
});
/** The read models of that release. */
export const toCome: readonly Projection[] = projections.map((each) =>
  each.name === 'sessions' ? counting : each,
);

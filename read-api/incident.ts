import { streamOf } from '../contracts/events/catalogue.ts';
import { incidentEvents } from '../contracts/events/incident.ts';
import { uuidOf } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { StatusIncident } from '../contracts/resources/status.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import { stepsOf, type RowFold } from '../projections/engine/past.ts';
import type { Details } from './engine/details.ts';
import { duringOutage } from './engine/log-outage.ts';
import { idOf } from './engine/reading.ts';
import type { OfId, Resource } from './engine/resource.ts';
import { emptyBoard, foldStatus } from './status/board.ts';

/** Incidents, read from the log: they are in no table, and older ones in no process's memory. */
export const incidentReads = (store: Pick<EventStore, 'readStream'>, details: Details) =>
  details('incidents', incidentIn(store));

/** Folds one incident, on a board of its own. */
const fold: RowFold<StatusIncident> = (incident, event) =>
  foldStatus({ ...emptyBoard, incidents: incident === undefined ? [] : [incident] }, event).incidents[0];

const incidentIn = (store: Pick<EventStore, 'readStream'>): Resource<StatusIncident, OfId<null>> => ({
  async find({ params }) {
    const streams = [streamOf(incidentEvents, uuidOf(idOf('incident', params.id)))];
    const folding = { store, streams, fold, upTo: undefined };
    const { steps } = await duringOutage('Incidents', () => stepsOf(folding, 1));
    const last = steps.at(-1);
    if (last?.after === undefined) throw refuse('not-found');
    const { position } = last.event;
    return { row: last.after, streams, freshness: { headers: {} }, seen: position, stale: false };
  },
  fold,
  stored: (incident) => incident,
  show: (incident) => incident,
});

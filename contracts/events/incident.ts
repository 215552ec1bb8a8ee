import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed, oneOf } from '../schema.ts';
import {
  incidentImpacts,
  longestIncidentMessage,
  longestIncidentTitle,
  openIncidentStatuses,
  statusComponentIds,
} from '../status.ts';
import { category, type EventOf } from './catalogue.ts';

const incidentId = idSchema('incident');
const message = Type.String({ minLength: 1, maxLength: longestIncidentMessage });

/** `incident-<uuid>`: an operator's public statements about an outage. Contains no secrets or personal data. */
export const incidentEvents = category('incident', {
  IncidentOpened: closed({
    incidentId,
    title: Type.String({ minLength: 1, maxLength: longestIncidentTitle }),
    impact: oneOf(incidentImpacts),
    components: Type.Array(oneOf(statusComponentIds), { minItems: 1, uniqueItems: true }),
    message,
    at: Timestamp,
  }),
  IncidentUpdated: closed({
    incidentId,
    status: oneOf(openIncidentStatuses),
    message,
    /** Whether subscribers are mailed: not within an hour of an earlier mailed update. */
    isMailed: Type.Boolean(),
    at: Timestamp,
  }),
  IncidentResolved: closed({ incidentId, message, at: Timestamp }),
});
export type IncidentEvent = EventOf<typeof incidentEvents>;

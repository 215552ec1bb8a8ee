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

/** `incident-<uuid>`: what an operator says in public about an outage. Nothing in it is secret or of a person. */
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
    /** Whether subscribers get a mail of it: not when they got one of an earlier update within the last hour. */
    isMailed: Type.Boolean(),
    at: Timestamp,
  }),
  IncidentResolved: closed({ incidentId, message, at: Timestamp }),
});
export type IncidentEvent = EventOf<typeof incidentEvents>;

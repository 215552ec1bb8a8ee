import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import {
  componentStatuses,
  incidentImpacts,
  incidentStatuses,
  indicators,
  statusComponentIds,
  uptimeTarget,
  uptimeWindows,
} from '../status.ts';

const componentId = oneOf(statusComponentIds);
const percent = Type.Number({ minimum: 0, maximum: 100 });

export const StatusIncident = closed({
  id: idSchema('incident'),
  title: Type.String(),
  impact: oneOf(incidentImpacts),
  status: oneOf(incidentStatuses),
  components: Type.Array(componentId),
  created_at: Timestamp,
  resolved_at: nullable(Timestamp),
  updates: Type.Array(
    closed({ status: oneOf(incidentStatuses), message: Type.String(), created_at: Timestamp }),
    { description: 'Newest first.' },
  ),
});
export type StatusIncident = Static<typeof StatusIncident>;

export const PublicStatus = closed({
  status: closed({
    indicator: oneOf(indicators),
    description: Type.String({
      description: 'Text for people. It says so if this is only the last known status.',
    }),
  }),
  components: Type.Array(closed({ id: componentId, name: Type.String(), status: oneOf(componentStatuses) })),
  incidents: Type.Array(StatusIncident, {
    description: 'Every open incident, and those resolved within 14 days up to 50 in all; newest first.',
  }),
  scheduled_maintenances: Type.Array(Type.Unknown(), { description: 'Always empty.', maxItems: 0 }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'When this status was last known to be complete. `Age` is the number of seconds since.',
  }),
});
export type PublicStatus = Static<typeof PublicStatus>;

export const StatusUptime = closed({
  windows: Type.Array(
    closed({
      days: Type.Integer({ enum: [...uptimeWindows] }),
      uptime_percent: Type.Number({
        ...{ minimum: 0, maximum: 100 },
        description: 'The share of probes that succeeded, over all components; 100 without probes.',
      }),
      target_percent: Type.Number({ enum: [uptimeTarget] }),
      incidents: Type.Integer({ minimum: 0, description: 'Number of incidents opened within the window.' }),
      probes: Type.Integer({ minimum: 0 }),
      components: Type.Array(closed({ id: componentId, uptime_percent: percent })),
    }),
  ),
  days: Type.Array(
    closed({
      date: Type.String({ format: 'date' }),
      uptime_percent: Type.Number({
        ...{ minimum: 0, maximum: 100 },
        description: 'The share of probes that succeeded, over all components; 100 without probes.',
      }),
      probes: Type.Integer({ minimum: 0 }),
    }),
    { description: 'The days of the longest window in UTC, oldest first, today included.' },
  ),
});
export type StatusUptime = Static<typeof StatusUptime>;

export const SubscribeToStatus = requestBody({
  email: Type.String({ minLength: 3, maxLength: 320, description: 'Case is ignored.' }),
  components: Type.Optional(
    Type.Array(componentId, { minItems: 1, maxItems: 20, description: 'By default all components.' }),
  ),
});
export const SubscriptionConfirmed = closed({
  status: Type.Literal('confirmed'),
  components: Type.Array(componentId),
});
export const Unsubscribed = closed({ status: Type.Literal('unsubscribed') });

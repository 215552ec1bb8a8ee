/** The parts of the service with public health, by id, with display names. */
export const statusComponents = {
  api: 'API',
  sessions: 'Sessions',
  'agent-sessions': 'Agent sessions',
  webhooks: 'Webhooks',
  projections: 'Lists and reads',
} as const;
export type StatusComponent = keyof typeof statusComponents;
export const statusComponentIds = Object.keys(statusComponents) as [StatusComponent, ...StatusComponent[]];

/** From best to worst. */
export const componentStatuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;
export type ComponentStatus = (typeof componentStatuses)[number];

/** From mildest to worst. */
export const incidentImpacts = ['minor', 'major', 'critical'] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];

/** From mildest to worst. */
export const indicators = ['none', ...incidentImpacts] as const;
export type Indicator = (typeof indicators)[number];

/** The stage of an incident. */
export const openIncidentStatuses = ['investigating', 'identified', 'monitoring'] as const;
export type OpenIncidentStatus = (typeof openIncidentStatuses)[number];
export const incidentStatuses = [...openIncidentStatuses, 'resolved'] as const;

/** Maximum lengths of an incident's texts. */
export const longestIncidentTitle = 200;
export const longestIncidentMessage = 5000;

/** Target share of successful probes, in percent. */
export const uptimeTarget = 99.9;
export const uptimeWindows = [30, 90] as const;

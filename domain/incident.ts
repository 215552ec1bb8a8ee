import { hourMs } from '../contracts/durations.ts';
import { incidentEvents, type IncidentEvent } from '../contracts/events/incident.ts';
import { refuse } from '../contracts/problems.ts';
import type { OpenIncidentStatus } from '../contracts/status.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

type Opened = DataOf<IncidentEvent, 'IncidentOpened'>;

interface KnownIncident extends Pick<Opened, 'incidentId' | 'title' | 'components'> {
  /** When subscribers last got a mail about an update. */
  readonly mailedAt: string | null;
}

/**
 * | status   | OpenIncident | UpdateIncident | ResolveIncident |
 * | -------- | ------------ | -------------- | --------------- |
 * | none     | open         | not-found      | not-found       |
 * | open     | –            | open           | resolved        |
 * | resolved | –            | conflict       | –               |
 */
export type Incident =
  | { readonly status: 'none' }
  | ({ readonly status: 'open'; readonly progress: OpenIncidentStatus } & KnownIncident)
  | ({ readonly status: 'resolved' } & KnownIncident);

export type IncidentCommand = CommandsOf<{
  OpenIncident: Omit<Opened, 'at'>;
  UpdateIncident: {
    message: string;
    /** Null: unchanged. */
    progress: OpenIncidentStatus | null;
  };
  ResolveIncident: { message: string };
}>;

/** Minimum interval between two mails about updates of one incident. */
const updateMailsEveryMs = hourMs;

const rules: Rules<Incident, IncidentCommand, IncidentEvent> = {
  OpenIncident: ({ status }, { type: _, ...data }) =>
    status === 'none' ? [{ type: 'IncidentOpened', data }] : [],
  UpdateIncident(state, { message, progress, at }) {
    if (state.status === 'none') throw refuse('not-found');
    if (state.status === 'resolved') throw refuse('conflict', 'The incident is resolved. Open a new one.');
    const { incidentId, mailedAt } = state;
    const isMailed = mailedAt === null || Date.parse(at) - Date.parse(mailedAt) >= updateMailsEveryMs;
    const status = progress ?? state.progress;
    return [{ type: 'IncidentUpdated', data: { incidentId, status, message, isMailed, at } }];
  },
  ResolveIncident(state, { message, at }) {
    if (state.status === 'none') throw refuse('not-found');
    if (state.status === 'resolved') return [];
    return [{ type: 'IncidentResolved', data: { incidentId: state.incidentId, message, at } }];
  },
};

export const incident: Decider<Incident, IncidentCommand, IncidentEvent> = {
  category: incidentEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: Incident, { type, data }: IncidentEvent): Incident {
  if (state.status === 'none') {
    if (type !== 'IncidentOpened') return state;
    const { incidentId, title, components } = data;
    return { status: 'open', progress: 'investigating', incidentId, title, components, mailedAt: null };
  }
  const { incidentId, title, components, mailedAt } = state;
  const known = { incidentId, title, components, mailedAt };
  switch (type) {
    case 'IncidentOpened':
      return state;
    case 'IncidentUpdated':
      if (state.status === 'resolved') return state;
      return { ...state, progress: data.status, mailedAt: data.isMailed ? data.at : mailedAt };
    case 'IncidentResolved':
      return { status: 'resolved', ...known };
  }
}

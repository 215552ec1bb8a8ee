import { dayMs } from '../../contracts/durations.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { IncidentEvent } from '../../contracts/events/incident.ts';
import type { ProbeEvent } from '../../contracts/events/probe.ts';
import type { PublicStatus, StatusIncident, StatusUptime } from '../../contracts/resources/status.ts';
import {
  componentStatuses,
  indicators,
  statusComponentIds,
  statusComponents,
  uptimeTarget,
  uptimeWindows,
  type ComponentStatus,
  type IncidentImpact,
  type Indicator,
  type StatusComponent,
} from '../../contracts/status.ts';

/** Probes and failures of each component on one day. */
type Day = Readonly<Partial<Record<StatusComponent, readonly [probes: number, failures: number]>>>;

/** The state behind the public status: a fold of the events of incidents and probes. JSON. */
export interface StatusBoard {
  /** Components whose probes fail. */
  readonly failing: readonly StatusComponent[];
  /** Newest first. */
  readonly incidents: readonly StatusIncident[];
  /** By UTC day, `YYYY-MM-DD`. */
  readonly days: Readonly<Record<string, Day>>;
}

export const emptyBoard: StatusBoard = { failing: [], incidents: [], days: {} };

/** History kept for the longest window, in milliseconds. */
const keptMs = (Math.max(...uptimeWindows) + 1) * dayMs;
/** How long a resolved incident is shown. */
const shownMs = 14 * dayMs;
/** Maximum incidents shown, unless more are open: a component is never worse than the incidents say. */
const mostShown = 50;
/** Maximum updates of an incident, newest first. */
const mostUpdates = 50;

type StatusEvent = IncidentEvent | ProbeEvent;

const isStatusEvent = (event: DomainEvent): event is StatusEvent =>
  /^(Incident|Probes|Probing|Component)/.test(event.type);

/** Applies an event to the board. Only their own writers append to the two categories, validated against the schemas. */
export function foldStatus(board: StatusBoard, event: DomainEvent): StatusBoard {
  if (!isStatusEvent(event)) return board;
  switch (event.type) {
    case 'ProbingBegan':
      return board;
    case 'ProbesCounted':
      return { ...board, days: counted(board.days, event.data) };
    case 'ComponentFailed': {
      const { component } = event.data;
      return { ...board, failing: [...without(board.failing, component), component] };
    }
    case 'ComponentRecovered':
      return { ...board, failing: without(board.failing, event.data.component) };
    case 'IncidentOpened':
      return { ...board, incidents: opened(board.incidents, event.data) };
    case 'IncidentUpdated': {
      const { incidentId, ...update } = event.data;
      return { ...board, incidents: updated(board.incidents, incidentId, update) };
    }
    case 'IncidentResolved': {
      const { incidentId, ...update } = event.data;
      return { ...board, incidents: updated(board.incidents, incidentId, { ...update, status: 'resolved' }) };
    }
  }
}

const without = (all: readonly StatusComponent[], one: StatusComponent): StatusComponent[] =>
  all.filter((each) => each !== one);

function counted(
  days: StatusBoard['days'],
  { component, from, probes, failures }: Extract<ProbeEvent, { type: 'ProbesCounted' }>['data'],
): StatusBoard['days'] {
  const oldest = dayOf(Date.parse(from) - keptMs);
  const kept = Object.fromEntries(Object.entries(days).filter(([day]) => day >= oldest));
  const day = from.slice(0, 10);
  const [probesBefore, failuresBefore] = kept[day]?.[component] ?? [0, 0];
  return {
    ...kept,
    [day]: { ...kept[day], [component]: [probesBefore + probes, failuresBefore + failures] },
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function opened(
  incidents: readonly StatusIncident[],
  {
    incidentId,
    title,
    impact,
    components,
    message,
    at,
  }: Extract<IncidentEvent, { type: 'IncidentOpened' }>['data'],
): StatusIncident[] {
  const oldest = Date.parse(at) - keptMs;
  const incident: StatusIncident = {
    ...{ id: incidentId, title, impact, status: 'investigating', components },
    ...{ created_at: at, resolved_at: null },
    updates: [{ status: 'investigating', message, created_at: at }],
  };
  const kept = incidents.filter(
    ({ resolved_at }) => resolved_at === null || Date.parse(resolved_at) >= oldest,
  );
  return [incident, ...kept];
}

function updated(
  incidents: readonly StatusIncident[],
  id: StatusIncident['id'],
  {
    status,
    message,
    at,
  }: { readonly status: StatusIncident['status']; readonly message: string; readonly at: string },
): StatusIncident[] {
  const resolved = status === 'resolved' ? { resolved_at: at } : {};
  return incidents.map((each) =>
    each.id === id
      ? {
          ...each,
          ...resolved,
          status,
          updates: [{ status, message, created_at: at }, ...each.updates].slice(0, mostUpdates),
        }
      : each,
  );
}

const statusOfImpact: Readonly<Record<IncidentImpact, ComponentStatus>> = {
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
};
const descriptions: Readonly<Record<Indicator, string>> = {
  none: 'All systems operational',
  minor: 'Minor problems',
  major: 'Partial outage',
  critical: 'Major outage',
};

const worst = <T extends string>(order: readonly [T, ...T[]], found: readonly T[]): T =>
  order.findLast((each) => found.includes(each)) ?? order[0];

const isOpen = ({ resolved_at }: StatusIncident): boolean => resolved_at === null;

/** The public status at a time. `isStale`: the log cannot be read. */
export function statusAt(
  { failing, incidents }: StatusBoard,
  { at, updatedAt, isStale }: { readonly at: Date; readonly updatedAt: string; readonly isStale: boolean },
): PublicStatus {
  const open = incidents.filter(isOpen);
  const components = statusComponentIds.map((id) => {
    const byIncidents = open.filter((each) => each.components.includes(id)).map(({ impact }) => impact);
    const byProbes = failing.includes(id) ? ['major_outage' as const] : [];
    const found = [...byProbes, ...byIncidents.map((impact) => statusOfImpact[impact])];
    return { id, name: statusComponents[id], status: worst(componentStatuses, found) };
  });
  const ofProbes: Indicator[] =
    failing.length === 0 ? [] : [failing.length === statusComponentIds.length ? 'critical' : 'major'];
  const indicator = worst(indicators, [...ofProbes, ...open.map(({ impact }) => impact)]);
  const asOf = isStale ? `, as last known at ${updatedAt}` : '';
  const recent = incidents.filter(
    ({ resolved_at }) => resolved_at !== null && at.getTime() - Date.parse(resolved_at) < shownMs,
  );
  const shown = new Set([...open, ...recent.slice(0, Math.max(0, mostShown - open.length))]);
  return {
    status: { indicator, description: `${descriptions[indicator]}${asOf}` },
    components,
    incidents: incidents.filter((each) => shown.has(each)),
    scheduled_maintenances: [],
    updated_at: updatedAt,
  };
}

interface Counts {
  readonly probes: number;
  readonly failures: number;
}

/** The probes of these components on all of these days. */
function countsOf(days: readonly Day[], ids: readonly StatusComponent[] = statusComponentIds): Counts {
  const counts = days.flatMap((day) => ids.map((id) => day[id] ?? [0, 0]));
  const sum = (index: 0 | 1) => counts.reduce((total, count) => total + count[index], 0);
  return { probes: sum(0), failures: sum(1) };
}

/** Rounded down. */
const percentOf = ({ probes, failures }: Counts): number =>
  probes === 0 ? 100 : Math.floor(((probes - failures) * 100_000) / probes) / 1000;

/** Uptime over the windows that end at a time, today included, and on each of their days. */
export function uptimeAt({ days, incidents }: StatusBoard, at: Date): StatusUptime {
  const windows = uptimeWindows.map((length) => {
    const since = at.getTime() - length * dayMs;
    const within = datesOf(length, at).map((date) => days[date] ?? {});
    const all = countsOf(within);
    return {
      days: length,
      uptime_percent: percentOf(all),
      target_percent: uptimeTarget,
      incidents: incidents.filter(({ created_at }) => Date.parse(created_at) > since).length,
      probes: all.probes,
      components: statusComponentIds.map((id) => ({ id, uptime_percent: percentOf(countsOf(within, [id])) })),
    };
  });
  const byDay = datesOf(Math.max(...uptimeWindows), at).map((date) => {
    const counts = countsOf([days[date] ?? {}]);
    return { date, uptime_percent: percentOf(counts), probes: counts.probes };
  });
  return { windows, days: byDay };
}

/** The last days up to a time, oldest first. */
const datesOf = (count: number, at: Date): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(at.getTime() - (count - 1 - index) * dayMs));

import { v5 as uuidv5 } from 'uuid';
import { probeEvents, type ProbeEvent } from '../contracts/events/probe.ts';
import type { StatusComponent } from '../contracts/status.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

/** The probed health of one component. */
export type ProbedComponent = { readonly status: 'up' | 'down' };

export type ProbeCommand = CommandsOf<{
  CountProbes: Omit<DataOf<ProbeEvent, 'ProbesCounted'>, 'at'>;
  ReportDown: { component: StatusComponent; error: string };
  ReportUp: { component: StatusComponent };
}>;

const rules: Rules<ProbedComponent, ProbeCommand, ProbeEvent> = {
  CountProbes: (_state, { type: _, ...data }) => [{ type: 'ProbesCounted', data }],
  ReportDown: ({ status }, { component, error, at }) =>
    status === 'down' ? [] : [{ type: 'ComponentFailed', data: { component, error, at } }],
  ReportUp: ({ status }, { component, at }) =>
    status === 'up' ? [] : [{ type: 'ComponentRecovered', data: { component, at } }],
};

/** A component counts as healthy until a probe says otherwise. */
export const probe: Decider<ProbedComponent, ProbeCommand, ProbeEvent> = {
  category: probeEvents,
  initialState: { status: 'up' },
  decide: decideBy(rules),
  evolve: (state, { type }) => {
    if (type === 'ComponentFailed') return { status: 'down' };
    return type === 'ComponentRecovered' ? { status: 'up' } : state;
  },
  snapshotEvery: 200,
  stateVersion: 1,
};

const namespace = '0b0c3a52-8f0e-5d7e-9d1d-3f3a53c8e9a1';

/** The uuid of the component's stream, which never changes. */
export const probeUuid = (component: StatusComponent): string => uuidv5(component, namespace);

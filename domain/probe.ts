import { v5 as uuidv5 } from 'uuid';
import { probeEvents, type ProbeEvent } from '../contracts/events/probe.ts';
import type { StatusComponent } from '../contracts/status.ts';
import {
  byType,
  decideBy,
  type ByType,
  type CommandsOf,
  type DataOf,
  type Decider,
  type Rules,
} from './kit/decider.ts';

/** The probed health of one component. */
export interface ProbedComponent {
  readonly status: 'up' | 'down';
  /**
   * Periods of the latest recorded counts, to recognise repeated ones: a prober that got no answer sends its counts
   * again.
   */
  readonly counted: readonly string[];
}

const periodOf = ({ from, at }: { readonly from: string; readonly at: string }): string => `${from}/${at}`;

/** Number of remembered periods. Few suffice: probers overlap only while one takes over from another. */
const remembered = 4;

export type ProbeCommand = CommandsOf<{
  CountProbes: Omit<DataOf<ProbeEvent, 'ProbesCounted'>, 'at'>;
  ReportDown: { component: StatusComponent; error: string };
  ReportUp: { component: StatusComponent };
}>;

const rules: Rules<ProbedComponent, ProbeCommand, ProbeEvent> = {
  CountProbes: ({ counted }, { type: _, ...data }) =>
    counted.includes(periodOf(data)) ? [] : [{ type: 'ProbesCounted', data }],
  ReportDown: ({ status }, { component, error, at }) =>
    status === 'down' ? [] : [{ type: 'ComponentFailed', data: { component, error, at } }],
  ReportUp: ({ status }, { component, at }) =>
    status === 'up' ? [] : [{ type: 'ComponentRecovered', data: { component, at } }],
};

const evolutions: Partial<ByType<ProbeEvent, ProbedComponent, [state: ProbedComponent]>> = {
  ProbesCounted: (counts, state) => ({
    ...state,
    counted: [...state.counted, periodOf(counts)].slice(-remembered),
  }),
  ComponentFailed: (_data, state) => ({ ...state, status: 'down' }),
  ComponentRecovered: (_data, state) => ({ ...state, status: 'up' }),
};

/** A component counts as healthy until a probe says otherwise. */
export const probe: Decider<ProbedComponent, ProbeCommand, ProbeEvent> = {
  category: probeEvents,
  initialState: { status: 'up', counted: [] },
  decide: decideBy(rules),
  evolve: (state, event) => byType(evolutions, event, state) ?? state,
  snapshotEvery: 200,
  stateVersion: 2,
};

const namespace = '0b0c3a52-8f0e-5d7e-9d1d-3f3a53c8e9a1';

/** The uuid of the component's stream, which never changes. */
export const probeUuid = (component: StatusComponent): string => uuidv5(component, namespace);

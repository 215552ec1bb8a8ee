import type { ProbeEvent } from '../contracts/events/probe.ts';
import { probe, type ProbeCommand } from './probe.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const at = '2026-01-05T12:00:00.000Z';
const counts = { component: 'api' as const, from: at, probes: 120, failures: 2, at };
const failure = { component: 'api' as const, error: 'It took longer than 8000 ms.', at };

const events = eventBuilders<ProbeEvent>({
  ProbingBegan: { at },
  ProbesCounted: counts,
  ComponentFailed: failure,
  ComponentRecovered: { component: 'api', at },
});
const commands = commandBuilders<ProbeCommand>({
  CountProbes: counts,
  ReportDown: failure,
  ReportUp: { component: 'api', at },
});
const { given } = deciderSpec(probe);
const failed = events.ComponentFailed();

describe('a component that is probed', () => {
  it('is healthy until it fails, and has an event only at each change', () => {
    given().when(commands.ReportUp()).nothing();
    given().when(commands.ReportDown()).then(failed);
    given(failed).when(commands.ReportDown()).nothing();
    given(failed).when(commands.ReportUp()).then(events.ComponentRecovered());
    given(failed, events.ComponentRecovered()).when(commands.ReportDown()).then(failed);
  });

  it('has its results counted, whatever its state', () => {
    given().when(commands.CountProbes()).then(events.ProbesCounted());
    given(failed).when(commands.CountProbes()).then(events.ProbesCounted());
  });

  it('counts the same results once, however often they are sent, even after those of another prober', () => {
    const other = events.ProbesCounted({ from: '2026-01-05T12:00:01.000Z' });
    given(events.ProbesCounted(), failed, other).when(commands.CountProbes()).nothing();
  });
});

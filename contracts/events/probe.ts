import { Timestamp, Type, closed, oneOf } from '../schema.ts';
import { statusComponentIds } from '../status.ts';
import { category, type EventOf } from './catalogue.ts';

const component = oneOf(statusComponentIds);

/**
 * `probe-<uuid>`: what the service measures of its own health. Each component has a stream for good, which gets one event an hour
 * and one at each change; each term of the prober has one of a single event.
 */
export const probeEvents = category('probe', {
  /** Appended again, with the same id, at each probe: the store acknowledges the repeat and keeps nothing more. */
  ProbingBegan: closed({ at: Timestamp }),
  /** The results of one prober from its first probe of an hour, `from`, to its last one in it. */
  ProbesCounted: closed({
    component,
    from: Timestamp,
    probes: Type.Integer({ minimum: 1 }),
    failures: Type.Integer({ minimum: 0 }),
    at: Timestamp,
  }),
  ComponentFailed: closed({
    component,
    /** In our own words; for operators. */
    error: Type.String({ maxLength: 300 }),
    at: Timestamp,
  }),
  ComponentRecovered: closed({ component, at: Timestamp }),
});
export type ProbeEvent = EventOf<typeof probeEvents>;

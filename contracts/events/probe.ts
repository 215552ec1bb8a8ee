import { Timestamp, Type, closed, oneOf } from '../schema.ts';
import { statusComponentIds } from '../status.ts';
import { category, type EventOf } from './catalogue.ts';

const component = oneOf(statusComponentIds);

/**
 * `probe-<uuid>`: measurements of the service's own health. Each component has one permanent stream, with an event per hour and
 * one per change; each term of the prober has a stream of a single event.
 */
export const probeEvents = category('probe', {
  /** Appended at each probe with the same id: the store acknowledges the repetition without storing it. */
  ProbingBegan: closed({ at: Timestamp }),
  /** One prober's results from its first probe of an hour, `from`, to its last one. */
  ProbesCounted: closed({
    component,
    from: Timestamp,
    probes: Type.Integer({ minimum: 1 }),
    failures: Type.Integer({ minimum: 0 }),
    at: Timestamp,
  }),
  ComponentFailed: closed({
    component,
    /** A text of the service, for operators. */
    error: Type.String({ maxLength: 300 }),
    at: Timestamp,
  }),
  ComponentRecovered: closed({ component, at: Timestamp }),
});
export type ProbeEvent = EventOf<typeof probeEvents>;

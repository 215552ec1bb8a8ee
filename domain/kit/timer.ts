import {
  timerKinds,
  type DomainEvent,
  type TimerChange,
  type TimerKind,
} from '../../contracts/events/catalogue.ts';
import { timerTypes } from '../../contracts/events/index.ts';
import type {
  AccountId,
  AgentSessionId,
  MembershipId,
  OrderId,
  ProfileId,
  SessionId,
  WebhookId,
} from '../../contracts/ids.ts';

/** A due time that an event sets. */
export interface Timer {
  /** `<kind>-<subject id>`, also the id in the read model of due times. */
  readonly id: string;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** Kinds that nearly always end before they are due: they get no wake-ups, only the sweep. */
const sweptOnly: ReadonlySet<TimerKind> = new Set<TimerKind>(['agent_turn_lease']);

/** The timers that an event starts, as declared by its category, without those of `sweptOnly`. */
export const timersOf = ({ type, data }: DomainEvent): readonly Timer[] =>
  timersIn(timerTypes[type]?.(data, '') ?? { subject: '' })
    .filter(({ kind }) => !sweptOnly.has(kind))
    .map(({ id, dueAt }) => ({ id, dueAt }));

export const timersIn = ({ subject, starts = {} }: TimerChange) =>
  timerKinds.flatMap((kind) => {
    const dueAt = starts[kind] ?? null;
    return dueAt === null ? [] : [{ id: `${kind}-${subject}`, kind, dueAt }];
  });

/** The subject of each kind of timer. */
type Subjects = {
  readonly [Kind in TimerKind]: Kind extends `webhook_${string}`
    ? WebhookId
    : Kind extends 'own_llm_key_age'
      ? AccountId
      : Kind extends 'entitlement_end' | `order_${string}`
        ? OrderId
        : Kind extends 'card_renewal'
          ? string
          : Kind extends 'invitation_end'
            ? MembershipId
            : Kind extends `profile_${string}`
              ? ProfileId
              : Kind extends `agent_${string}`
                ? AgentSessionId
                : SessionId;
};

/** A row of the read model of due times. */
export type DueTimer<Kind extends TimerKind = TimerKind> = {
  [Each in Kind]: {
    readonly id: string;
    readonly kind: Each;
    readonly subject_id: Subjects[Each];
    readonly account_id: AccountId;
    readonly due_at: Date;
    /** Id of the event that set it. */
    readonly event_id: string;
    readonly correlation_id: string;
    /** The span in which that event was made; null if it was not traced. */
    readonly traceparent: string | null;
  };
}[Kind];

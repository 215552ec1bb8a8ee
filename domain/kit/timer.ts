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
  OrderId,
  ProfileId,
  SessionId,
  WebhookId,
} from '../../contracts/ids.ts';

/** A due time that an event sets. */
export interface Timer {
  /** `<kind>-<subject id>`, the same here and in the read model of due times. */
  readonly id: string;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** Kinds that nearly always end before they are due: they get no wake-ups, and the sweep finds the rest. */
const sweptOnly: ReadonlySet<TimerKind> = new Set<TimerKind>(['agent_turn_lease']);

/** The timers an event starts, as its category declares them, without those that only the sweep looks for. */
export const timersOf = ({ type, data }: DomainEvent): readonly Timer[] =>
  timersIn(timerTypes[type]?.(data, '') ?? { subject: '' })
    .filter(({ kind }) => !sweptOnly.has(kind))
    .map(({ id, dueAt }) => ({ id, dueAt }));

export const timersIn = ({ subject, starts = {} }: TimerChange) =>
  timerKinds.flatMap((kind) => {
    const dueAt = starts[kind] ?? null;
    return dueAt === null ? [] : [{ id: `${kind}-${subject}`, kind, dueAt }];
  });

/** What a timer of each kind is for. */
type Subjects = {
  readonly [Kind in TimerKind]: Kind extends `webhook_${string}`
    ? WebhookId
    : Kind extends 'own_llm_key_age'
      ? AccountId
      : Kind extends 'entitlement_end' | `order_${string}`
        ? OrderId
        : Kind extends 'card_renewal'
          ? string
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
    /** Of the event that set it. */
    readonly event_id: string;
    readonly correlation_id: string;
    /** The span in which that was made; null where it was not traced. */
    readonly traceparent: string | null;
  };
}[Kind];

import { Timestamp, Type, closed, type Static, type TSchema } from '../schema.ts';
import type { WebhookEnvelope } from '../webhooks/envelope.ts';

/** An entry of the audit log, before it is hashed. */
export interface AuditedAction {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly payload: Readonly<Record<string, unknown>>;
  /** The service itself is the actor, whatever request caused it. */
  readonly bySystem?: true;
}

/** Makes the entries about one type of target. */
export const entryOn =
  (type: string) =>
  (action: string, id: string, payload: AuditedAction['payload'] = {}): AuditedAction => ({
    action,
    target: { type, id },
    payload,
  });

/** An idle timeout in a resource's first event: its length in milliseconds, and when it is due without activity. */
export const IdleTimeout = Type.Optional(
  closed({ timeoutMs: Type.Integer({ minimum: 1 }), dueAt: Timestamp }),
);

/** An envelope without its id. The order of fields determines the bytes of the body. */
export type Announcement = WebhookEnvelope extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'id'>
    : never
  : never;

export const timerKinds = [
  'slot_lease',
  'creation_lease',
  'duration_cap',
  'session_idle',
  'webhook_secret_age',
  'webhook_grace_notice',
  'own_llm_key_age',
  'profile_purge',
  'profile_save_lease',
  'agent_turn_lease',
  'agent_pair_heartbeat',
  'agent_resume',
  'agent_idle',
  'entitlement_end',
  'card_renewal',
  'invitation_end',
  'order_window',
  'order_sweep',
  'order_check',
] as const;
export type TimerKind = (typeof timerKinds)[number];

/** An event's changes of its subject's timers. Restarting a timer replaces its due time. */
export interface TimerChange {
  /** Id of the timers' resource. */
  readonly subject: string;
  /** Due times, ISO 8601; null: none. */
  readonly starts?: Partial<Readonly<Record<TimerKind, string | null>>>;
  readonly ends?: readonly TimerKind[];
}

/** Timer changes of the resource that this field of an event's data names. */
export const timersOn = <Subject extends string>(subject: Subject) => ({
  /** `dueAt`: the field with the due time. */
  starts:
    <DueAt extends string>(kind: TimerKind, dueAt: DueAt) =>
    (data: Readonly<Record<Subject, string> & Record<DueAt, string | null>>): TimerChange => ({
      subject: data[subject],
      starts: { [kind]: data[dueAt] },
    }),
  ends:
    (...ends: readonly TimerKind[]) =>
    (data: Readonly<Record<Subject, string>>): TimerChange => ({ subject: data[subject], ends }),
});

/** A function of an event's data; a method, so that a category with typed data is assignable to any category. */
interface Consequence<Data, Result> {
  of(data: Data, eventId: string): Result;
}
type ByType<Types extends Record<string, TSchema>, Result> = {
  readonly [T in keyof Types]?: Consequence<Static<Types[T]>, Result>['of'];
};

/**
 * The effects of a category's events, declared beside their schemas. Each is a function of the event alone, so that reading the
 * log again gives the same result.
 */
export interface Consequences<Types extends Record<string, TSchema>> {
  /** Current version of new events per type, default 1. Older ones are upcast on read. */
  readonly versions: Partial<Record<keyof Types, number>>;
  /** Types that are no longer written: recorded ones stay readable, a decision for one is a bug. */
  readonly retired: readonly (keyof Types & string)[];
  /**
   * The entry in the audit log. Each change acknowledged to a client has exactly one event with an entry:
   *
   * - of a create, its durable reservation;
   * - of an operation, its settling, or the session's error;
   * - of a key rotation, which appends to two streams, the event with both keys;
   * - of a replay, the request, not its deliveries;
   * - of a transfer, one event under each of the two accounts.
   *
   * `null`: the event belongs to another event's entry.
   */
  readonly audit: ByType<Types, AuditedAction | null>;
  /** The content of webhooks and of the account's feed of events. */
  readonly announced: ByType<Types, Announcement>;
  readonly timers: ByType<Types, TimerChange>;
  /** Fields written by, or about, customers: stored sealed with the account's data key. */
  readonly personal: { readonly [T in keyof Types]?: Personal };
}

/**
 * Fields of an event, by path (`name`, or `changes.name`), each with its replacement once the account's data key is destroyed. A
 * field with that value is stored unsealed.
 */
export type Personal = Readonly<Record<string, unknown>>;

/** The events of one stream category: `<category>-<uuid>` streams contain only these types. */
export interface Category<
  Name extends string = string,
  Types extends Record<string, TSchema> = Record<string, TSchema>,
> extends Consequences<Types> {
  readonly name: Name;
  readonly types: Types;
}

export const category = <Name extends string, Types extends Record<string, TSchema>>(
  name: Name,
  types: Types,
  consequences: Partial<Consequences<Types>> = {},
): Category<Name, Types> => ({
  name,
  types,
  versions: {},
  retired: [],
  audit: {},
  announced: {},
  timers: {},
  personal: {},
  ...consequences,
});

/** The stream of one aggregate. */
export const streamOf = ({ name }: Pick<Category, 'name'>, uuid: string): string => `${name}-${uuid}`;

/** The union of a category's events, each `{ type, data }`. */
export type EventOf<C extends Category> = {
  [T in keyof C['types'] & string]: { readonly type: T; readonly data: Static<C['types'][T]> };
}[keyof C['types'] & string];

/** Any event, as rules get it. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

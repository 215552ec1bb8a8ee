import { isUuid } from '../ids.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';

/** Who caused an event. `account_id` owns the resource; the actor fields name another account that acts on it. */
export const Actor = closed({
  kind: oneOf(['api_key', 'user', 'staff', 'system', 'node']),
  account_id: nullable(Type.String()),
  actor_account_id: Type.Optional(Type.String()),
  actor_key_id: Type.Optional(Type.String()),
});
export type Actor = Static<typeof Actor>;

export const EventMetadata = closed({
  /** Id of the root request, timer or callback, the same for all its effects. */
  correlation_id: Type.String(),
  /** Id of the causing event; for a root, its correlation id. */
  causation_id: Type.String(),
  actor: Actor,
  occurred_at: Timestamp,
  schema_version: Type.Integer({ minimum: 1 }),
  request_id: nullable(Type.String()),
  ip: Type.Optional(nullable(Type.String())),
  user_agent: Type.Optional(nullable(Type.String())),
  /** What ran the command; see `By`. Absent in events of earlier releases. */
  by: Type.Optional(Type.String()),
  /** The span in which it was made, to which traces of its effects link. Only with tracing. */
  traceparent: Type.Optional(Type.String()),
  /** Paths of the sealed fields in the stored data. */
  sealed: Type.Optional(Type.Array(Type.String())),
});
export type EventMetadata = Static<typeof EventMetadata>;

export const causeKinds = ['request', 'reaction', 'timer', 'callback'] as const;
export type CauseKind = (typeof causeKinds)[number];

/** What runs a command: a route by its id, a process manager, a timer or sweep, or an external message, by its name. */
export type By = `${CauseKind}:${string}`;

/** Id of the causing event; null for a root, and for events of earlier releases. */
export const causeOf = ({
  correlation_id,
  causation_id,
}: Pick<EventMetadata, 'correlation_id' | 'causation_id'>): string | null =>
  causation_id === correlation_id || !isUuid(causation_id) ? null : causation_id;

import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';

/** Who caused an event. `account_id` owns the resource; the actor fields name a team member acting on it. */
export const Actor = closed({
  kind: oneOf(['api_key', 'user', 'staff', 'system', 'node']),
  account_id: nullable(Type.String()),
  actor_account_id: Type.Optional(Type.String()),
  actor_key_id: Type.Optional(Type.String()),
});
export type Actor = Static<typeof Actor>;

export const EventMetadata = closed({
  correlation_id: Type.String(),
  causation_id: Type.String(),
  actor: Actor,
  occurred_at: Timestamp,
  schema_version: Type.Integer({ minimum: 1 }),
  request_id: nullable(Type.String()),
  ip: Type.Optional(nullable(Type.String())),
  user_agent: Type.Optional(nullable(Type.String())),
  /** The paths of the fields that are sealed in the stored data. */
  sealed: Type.Optional(Type.Array(Type.String())),
});
export type EventMetadata = Static<typeof EventMetadata>;

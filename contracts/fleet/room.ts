/**
 * What a node that people are connected with has to know of control, and what it asks for in their names. `roomRoutes` are routes of
 * the control plane, as `controlRoutes` are.
 */
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { agentModes, agentStatuses, pairKinds } from '../resources/agent-session.ts';
import { linkRights } from '../resources/link.ts';
import { ClientId, ParticipantIdentity } from '../resources/pair-mode.ts';
import { TurnMessage } from '../resources/room.ts';

export const roomRoutes = {
  /**
   * A `RoomLine` of JSON at once, at each change, and every `roomBeatMs`, for as long as it is read. 404 where the agent session's
   * browser is not this node's.
   */
  follow: 'GET /internal/fleet/rooms/:id',
  /** `RoomRequest`; answers with a `RoomAnswer`. */
  ask: 'POST /internal/fleet/rooms/:id',
} as const;

/** Milliseconds between two lines at most. */
export const roomBeatMs = 2_000;
/** Milliseconds without a line after which what was said of control is no longer known. */
export const roomSilenceMs = 5_000;

export const RoomState = closed({
  /** The session whose browser it is; null as long as there is none. */
  session_id: nullable(idSchema('session')),
  status: oneOf(agentStatuses),
  mode: oneOf(agentModes),
  pair: nullable(
    closed({
      kind: oneOf(pairKinds),
      client_id: nullable(Type.String()),
      /** Who is in the room for the client, where its takeover said so. */
      participant: nullable(Type.String()),
      since: Timestamp,
    }),
  ),
  epoch: Type.Integer({ minimum: 1 }),
  /** How long a client that asks for the controls, or has them, may send nothing. */
  heartbeat_ms: Type.Integer({ minimum: 1 }),
  turn: TurnMessage,
  /** Ids of links that are valid: participants with any other link are disconnected. */
  links: Type.Array(closed({ id: idSchema('link'), right: oneOf(linkRights), expires_at: Timestamp })),
});
export type RoomState = Static<typeof RoomState>;

/** `state` is null where nothing has changed since the line before. */
export const RoomLine = closed({ state: nullable(RoomState) });
export type RoomLine = Static<typeof RoomLine>;

/**
 * `takeover`: the client asks for the controls. `grant`: it is connected, so that its input arrives. `handback`: it gives them back, or
 * has left. `beat`: it has sent something.
 */
export const RoomRequest = closed({
  request_id: Type.String({ format: 'uuid' }),
  kind: oneOf(['takeover', 'grant', 'handback', 'beat']),
  trigger: oneOf(['takeover', 'input_event']),
  client_id: ClientId,
  /** In whose name. */
  participant: ParticipantIdentity,
});
export type RoomRequest = Static<typeof RoomRequest>;

export const RoomAnswer = closed({
  /** A slug of the problems; null: it is as was asked for. */
  refused: nullable(Type.String()),
});
export type RoomAnswer = Static<typeof RoomAnswer>;

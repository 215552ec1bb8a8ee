/**
 * Control of a browser, for a node with connected people, and its requests on their behalf. `roomRoutes` are routes of the
 * control plane, like `controlRoutes`.
 */
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { agentModes, agentStatuses, pairKinds } from '../resources/agent-session.ts';
import { linkRights } from '../resources/link.ts';
import { ClientId, ParticipantIdentity } from '../resources/pair-mode.ts';
import { TurnMessage } from '../resources/room.ts';

export const roomRoutes = {
  /**
   * A stream of `RoomLine`s as JSON: one at once, at each change, and every `roomBeatMs`. 404 if the agent session's browser is
   * not on this node.
   */
  follow: 'GET /internal/fleet/rooms/:id',
  /** `RoomRequest`; answers with a `RoomAnswer`. */
  ask: 'POST /internal/fleet/rooms/:id',
} as const;

/** Maximum milliseconds between two lines. */
export const roomBeatMs = 2_000;
/** Milliseconds without a line after which the state of control is unknown. */
export const roomSilenceMs = 5_000;

export const RoomState = closed({
  /** The session of the browser; null while there is none. */
  session_id: nullable(idSchema('session')),
  status: oneOf(agentStatuses),
  mode: oneOf(agentModes),
  pair: nullable(
    closed({
      kind: oneOf(pairKinds),
      client_id: nullable(Type.String()),
      /** The client's participant, if its takeover named it. */
      participant: nullable(Type.String()),
      since: Timestamp,
    }),
  ),
  epoch: Type.Integer({ minimum: 1 }),
  /** How long a client that has or requests the controls may be silent. */
  heartbeat_ms: Type.Integer({ minimum: 1 }),
  turn: TurnMessage,
  /** Ids of links that are valid: participants with any other link are disconnected. */
  links: Type.Array(closed({ id: idSchema('link'), right: oneOf(linkRights), expires_at: Timestamp })),
});
export type RoomState = Static<typeof RoomState>;

/** A null `state` means unchanged. */
export const RoomLine = closed({ state: nullable(RoomState) });
export type RoomLine = Static<typeof RoomLine>;

/**
 * `takeover`: the client requests the controls. `grant`: it is connected, so that its input arrives. `handback`: it releases
 * them, or has left. `beat`: a heartbeat. `screen`: the participant touches the browser in manual mode, where it did not before, or another one
 * has since. Nodes of releases up to 2026-11 do not send it, and control planes of those refuse it as malformed.
 */
export const RoomRequest = closed({
  request_id: Type.String({ format: 'uuid' }),
  kind: oneOf(['takeover', 'grant', 'handback', 'beat', 'screen']),
  trigger: oneOf(['takeover', 'input_event']),
  /** For `screen`, which is of no client, the participant's identity. */
  client_id: ClientId,
  /** The requesting participant. */
  participant: ParticipantIdentity,
  /** For `screen`: the API key that its token was made with, if one was. */
  api_key_id: Type.Optional(idSchema('apiKey')),
});
export type RoomRequest = Static<typeof RoomRequest>;

export const RoomAnswer = closed({
  /** Slug of a problem; null: done. */
  refused: nullable(Type.String()),
});
export type RoomAnswer = Static<typeof RoomAnswer>;

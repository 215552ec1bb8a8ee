/** The interface between the connections of people with a browser and the handling of their messages. */
import type { ApiKeyId } from '../../../contracts/ids.ts';

/** A person, or a person's program, in the room of a browser. */
export interface Participant {
  /** Unique in a room: a newer join with the same identity replaces the older one, which has left by then. */
  readonly identity: string;
  /** The participant's own claims, such as `client_id`: bounded in size, and otherwise unchecked. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The right of its token or link. Everyone may send data, so the receiver must check this and the state of the session. */
  readonly right: 'control' | 'watch';
  /** The link's id if it joined by one. */
  readonly linkId?: string;
  /** The API key that its token was made with. */
  readonly apiKeyId?: ApiKeyId;
}

/** Events of a room, in the order of arrival. A listener's error is logged and has no other effect. */
export interface RoomEvents {
  joined(participant: Participant): void;
  /**
   * `closed`: it said goodbye, was disconnected, or had the time to return; `lost`: its connection broke, or a newer join has replaced it. No
   * event of it follows.
   */
  left(participant: Participant, why: 'closed' | 'lost'): void;
  /** Its attributes have changed; `participants()` has the new ones. */
  attributes(participant: Participant): void;
  /** A message of at most 64 KiB, within the participant's rate. Messages that are not `reliable` may be missing or out of order. */
  data(participant: Participant, topic: string, payload: Uint8Array, reliable: boolean): void;
}

/** The room of one browser, named by the agent session, or else by the session. */
export interface Room {
  readonly name: string;
  participants(): readonly Participant[];
  /** Sends to the given participants, or to all. `lossy`: sent once and may be dropped, because it is useless when late. */
  send(topic: string, payload: Uint8Array, to?: readonly string[], lossy?: boolean): void;
  /** Ends a participant's connection and sends it the reason; its library does not rejoin. */
  disconnect(identity: string, why: string): void;
}

/** Called for each room, when the agent session's browser is assigned to this node. */
export type OpenRoomEvents = (room: Room) => RoomEvents;

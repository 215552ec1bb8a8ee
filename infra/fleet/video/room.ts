/** The border between how people are connected with a browser and what is made of what they send. */

/** A person, or a program of one, who has joined the room of a browser. */
export interface Participant {
  /** Unique in a room: a newer join of the same identity takes the place of the older one, which has left by then. */
  readonly identity: string;
  /** What the participant says of itself, such as `client_id`. Within bounds of size, and otherwise not judged. */
  readonly attributes: Readonly<Record<string, string>>;
  /** What its token, or its link, lets it do. Everyone may send data, so this and the state of the session are for the receiver to judge. */
  readonly right: 'control' | 'watch';
  /** A link's id where it came by one. */
  readonly linkId?: string;
}

/** What a room tells. Called in the order in which things came; what a listener throws is logged and ends nothing. */
export interface RoomEvents {
  joined(participant: Participant): void;
  /** `closed`: it said goodbye, was disconnected or replaced; `lost`: its connection broke and did not come back. Nothing of it follows. */
  left(participant: Participant, why: 'closed' | 'lost'): void;
  /** Its attributes have changed; those of `participants()` are the new ones. */
  attributes(participant: Participant): void;
  /** A message of at most 64 KiB, within the rate that a participant has. Those that are not `reliable` may be missing or out of order. */
  data(participant: Participant, topic: string, payload: Uint8Array, reliable: boolean): void;
}

/** The room of one browser: named by the agent session, or by the session where it has none. */
export interface Room {
  readonly name: string;
  participants(): readonly Participant[];
  /** To those named, or to all. `lossy`: a message that is late is of no use, so it is sent once and may be dropped. */
  send(topic: string, payload: Uint8Array, to?: readonly string[], lossy?: boolean): void;
  /** Ends a participant's connection; `why` is told to it, and it does not join again by itself. */
  disconnect(identity: string, why: string): void;
}

/** One for each browser that has a room: made when the agent session's browser is given to this node. */
export type OpenRoomEvents = (room: Room) => RoomEvents;

/** Why a connection is over, and is not made again by itself. */
export type Ended = 'replaced' | 'ended' | 'moving' | 'removed' | 'lost';

/** What is asked for a connection with. */
export interface Ticket {
  readonly ws_url: string;
  readonly token: string;
  /** As whom one is in the room. */
  readonly participant_identity: string;
}

/** What a connection tells. */
export interface Hears {
  data(topic: string, payload: Uint8Array): void;
  /** The picture's size, in CSS pixels of the phone. */
  size(width: number, height: number): void;
  ended(why: Ended): void;
}

/** A connection with the room of a browser. */
export interface Wire {
  readonly kind: 'video' | 'pictures';
  send(topic: string, payload: Uint8Array<ArrayBuffer>): void;
  /** Pictures that have been shown so far. */
  frames(): Promise<number>;
  close(): void;
}

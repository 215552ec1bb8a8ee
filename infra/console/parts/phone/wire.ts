/** Why a connection ended for good, without a reconnect. */
export type Ended = 'replaced' | 'ended' | 'moving' | 'removed' | 'lost';

/** Address and credentials of a connection. */
export interface Ticket {
  readonly ws_url: string;
  readonly token: string;
  /** The participant's identity in the room. */
  readonly participant_identity: string;
}

/** Listeners of a connection. */
export interface Hears {
  data(topic: string, payload: Uint8Array): void;
  /** Size of the picture, in CSS pixels of the phone. */
  size(width: number, height: number): void;
  ended(why: Ended): void;
}

/** A connection with the room of a browser. */
export interface Wire {
  readonly kind: 'video' | 'pictures';
  send(topic: string, payload: Uint8Array<ArrayBuffer>): void;
  /** Number of pictures shown so far. */
  frames(): Promise<number>;
  close(): void;
}

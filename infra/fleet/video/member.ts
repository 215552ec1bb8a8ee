import type { Feed } from './feed.ts';
import type { Participant } from './room.ts';

/** Why the node ends a connection. */
export type Ending = 'replaced' | 'browser-ended' | 'node-ending' | 'removed' | 'misbehaved';

/** One connection of a participant, over any transport. */
export interface Member {
  readonly participant: Participant;
  /** The feed that it shows. */
  readonly feed: Feed;
  send(topic: string, payload: Uint8Array, lossy: boolean): void;
  /** Sends the reason and closes the connection. It calls the room no more. */
  end(why: Ending, detail?: string): void;
}

/** Callbacks of a connection to the room. */
export interface MemberEvents {
  data(topic: string, payload: Uint8Array, reliable: boolean): void;
  attributes(given: Readonly<Record<string, string>>): void;
  gone(why: 'closed' | 'lost'): void;
  /** It must be removed, and kept out for a while. */
  misbehaved(): void;
}

import type { Feed } from './feed.ts';
import type { Participant } from './room.ts';

/** Why a connection is ended by the node. */
export type Ending = 'replaced' | 'browser-ended' | 'node-ending' | 'removed' | 'misbehaved';

/** One connection of a participant, whatever it goes by. */
export interface Member {
  readonly participant: Participant;
  /** What it is shown. */
  readonly feed: Feed;
  send(topic: string, payload: Uint8Array, lossy: boolean): void;
  /** Tells it why and closes the connection. Nothing of it is told to the room afterwards. */
  end(why: Ending, detail?: string): void;
}

/** What a connection tells the room. */
export interface MemberEvents {
  data(topic: string, payload: Uint8Array, reliable: boolean): void;
  attributes(given: Readonly<Record<string, string>>): void;
  gone(why: 'closed' | 'lost'): void;
  /** It is to be put out, and let in again no sooner than after a while. */
  misbehaved(): void;
}

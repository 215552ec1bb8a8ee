import type { AgentSessionId } from '../../../../contracts/ids.ts';

/** An attempt to join a room, and its outcome. Times are milliseconds since the epoch. */
export interface Visit {
  readonly room: AgentSessionId;
  readonly as: 'watcher' | 'driver';
  readonly by: 'pictures' | 'media';
  readonly isByLink: boolean;
  readonly askedAt: number;
  /** Absent while it is being made. */
  outcome?: 'joined' | 'refused' | 'lost';
  /** Of a refusal. */
  status?: number;
  /** Of a refusal or a loss. */
  why?: string;
  /** Pictures or packets received. */
  pictures: number;
}

/** A touch of a person. Its place tells which one it is: see `placeOf`. */
export interface SentTouch {
  readonly number: number;
  readonly room: AgentSessionId;
  readonly epoch: number;
  readonly clientId: string | null;
  readonly right: 'watch' | 'control';
  readonly sentAt: number;
  /** `ok`, or the reason of the refusal; absent if none came. */
  answer?: string;
  answeredAt?: number;
}

/** A request for the controls, sent in the room. */
export interface AskedTakeover {
  readonly room: AgentSessionId;
  /** No other visit has it. */
  readonly clientId: string;
  readonly sentAt: number;
  /** `ok`, or the reason of the refusal; absent if none came. */
  answer?: string;
  answeredAt?: number;
}

/** A message to a participant that says which client has the controls. */
export interface ToldHolder {
  readonly room: AgentSessionId;
  readonly epoch: number;
  readonly clientId: string;
}

const rowLength = 300;

/** Every touch of a run has a place of its own, within the screen of any browser here. */
export const placeOf = (number: number): { readonly x: number; readonly y: number } => ({
  x: number % rowLength,
  y: Math.floor(number / rowLength),
});
export const numberAt = (x: number, y: number): number => y * rowLength + x;

/** Record of what people who watch and drive did, and of the messages they got. */
export class LiveRecord {
  readonly visits: Visit[] = [];
  readonly touches: SentTouch[] = [];
  readonly takeovers: AskedTakeover[] = [];
  /** Sizes of pictures, as `width×height`. */
  readonly sizes = new Set<string>();
  readonly #holders = new Map<string, ToldHolder>();

  get holders(): readonly ToldHolder[] {
    return [...this.#holders.values()];
  }

  visit(visit: Omit<Visit, 'pictures' | 'askedAt'>): Visit {
    const begun: Visit = { ...visit, askedAt: Date.now(), pictures: 0 };
    this.visits.push(begun);
    return begun;
  }

  touch(touch: Omit<SentTouch, 'number' | 'sentAt'>): SentTouch {
    const sent: SentTouch = { ...touch, number: this.touches.length, sentAt: Date.now() };
    this.touches.push(sent);
    return sent;
  }

  takeover(room: AgentSessionId, clientId: string): AskedTakeover {
    const asked: AskedTakeover = { room, clientId, sentAt: Date.now() };
    this.takeovers.push(asked);
    return asked;
  }

  told(holder: ToldHolder): void {
    this.#holders.set(`${holder.room} ${holder.epoch} ${holder.clientId}`, holder);
  }
}

import type { RoomInput } from '../../../contracts/resources/room.ts';
import type { Participant } from '../video/room.ts';
import type { Job } from './delivery.ts';
import { Pace } from './pacing.ts';
import { Rate } from './rate.ts';

/** Milliseconds between two `too-many` answers. */
const complaintMs = 100;

/** State of one participant's messages. */
export class Person {
  participant: Participant;
  /** The client id that this connection has used last, in its attributes or a message. */
  clientId: string | undefined;
  readonly pace = new Pace();
  readonly #rate: Rate;
  readonly #releaseRate: Rate;
  #complainedAt = -Infinity;
  /** Number of the latest event; an older move is outdated. */
  #latest = -1;
  /** The last move by finger, which may still be queued. */
  readonly #moves = new Map<number, Job>();

  constructor(participant: Participant, now: number) {
    this.participant = participant;
    this.clientId = participant.attributes.client_id;
    this.#rate = new Rate(now);
    this.#releaseRate = new Rate(now);
  }

  /** Takes changed attributes. */
  update(participant: Participant): void {
    this.participant = participant;
    this.clientId = participant.attributes.client_id ?? this.clientId;
  }

  /**
   * Whether another message is within the rate; `tell`: whether a refusal should be answered. Releases beyond it have a rate of their own: a
   * finger or key whose release was dropped would stay down.
   */
  admits(now: number, isRelease = false): { readonly ok: boolean; readonly tell: boolean } {
    if (this.#rate.take(now) || (isRelease && this.#releaseRate.take(now))) return { ok: true, tell: false };
    const tell = now - this.#complainedAt >= complaintMs;
    if (tell) this.#complainedAt = now;
    return { ok: false, tell };
  }

  /** False for a move that arrives after a later event. */
  isNews(seq: number, event: RoomInput): boolean {
    const isLate = seq <= this.#latest && movedBy(event) !== undefined;
    this.#latest = Math.max(this.#latest, seq);
    return !isLate;
  }

  /** Replaces the finger's queued move by a newer one. Returns the number of the replaced one; undefined if there was none. */
  replaceMove(job: Job): number | undefined {
    const finger = movedBy(job.event);
    if (finger === undefined) {
      // Moves are never merged across another event.
      this.#moves.clear();
      return undefined;
    }
    const before = this.#moves.get(finger);
    this.#moves.set(finger, job);
    if (before === undefined || before.isBegun) return undefined;
    const { seq } = before;
    Object.assign(before, { seq: job.seq, event: job.event });
    this.#moves.set(finger, before);
    return seq;
  }
}

function movedBy(event: RoomInput): number | undefined {
  if (event.type === 'touchMove') return event.touchId;
  return event.type === 'mouseMove' ? -1 : undefined;
}

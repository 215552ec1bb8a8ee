import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import type { Participant } from '../video/room.ts';
import type { Job } from './delivery.ts';
import { Pace } from './pacing.ts';
import { Rate } from './rate.ts';

/** Milliseconds between two answers that say that there are too many. */
const complaintMs = 100;

/** What is known of one participant's messages. */
export class Person {
  participant: Participant;
  readonly pace = new Pace();
  private readonly rate: Rate;
  private complainedAt = -Infinity;
  /** The number of the latest event; a move that is older was overtaken. */
  private latest = -1;
  /** By finger, the move that waits. */
  private readonly moves = new Map<number, Job>();

  constructor(participant: Participant, now: number) {
    this.participant = participant;
    this.rate = new Rate(now);
  }

  /** Whether one more message may come now; `tell`: where not, whether that is to be said. */
  admits(now: number): { readonly ok: boolean; readonly tell: boolean } {
    if (this.rate.take(now)) return { ok: true, tell: false };
    const tell = now - this.complainedAt >= complaintMs;
    if (tell) this.complainedAt = now;
    return { ok: false, tell };
  }

  /** False for a move that came late: another event has come since. */
  isNews(seq: number, event: InputEvent): boolean {
    const isLate = seq <= this.latest && movedBy(event) !== undefined;
    this.latest = Math.max(this.latest, seq);
    return !isLate;
  }

  /** Has a move take the place of one that still waits. Gives the number of that one, or remembers the move. */
  replaceMove(job: Job): number | undefined {
    const finger = movedBy(job.event);
    if (finger === undefined) {
      // What follows another event is no part of the moves before it.
      this.moves.clear();
      return undefined;
    }
    const before = this.moves.get(finger);
    this.moves.set(finger, job);
    if (before === undefined || before.isBegun) return undefined;
    const { seq } = before;
    Object.assign(before, { seq: job.seq, event: job.event });
    this.moves.set(finger, before);
    return seq;
  }
}

function movedBy(event: InputEvent): number | undefined {
  if (event.type === 'touchMove') return event.touchId;
  return event.type === 'mouseMove' ? -1 : undefined;
}

import type { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

export const receiverModes = ['accepts', 'fails', 'hangs', 'flips', 'cuts'] as const;
export type ReceiverMode = (typeof receiverModes)[number];

/** A request as it came over the wire. */
export interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A line of a receiver's own log. */
export interface Received extends Sent {
  /** When it was sent, in the schedule's time. */
  readonly sentAt: number;
  /** What it answered; undefined when it never did. */
  readonly status: number | undefined;
}

/** Receivers in memory, one for each address, each with a log of its own. They run on whoever of the service crashes. */
export class FakeReceivers {
  readonly log: Received[] = [];
  readonly #schedule: Schedule;
  readonly #modes = new Map<string, ReceiverMode>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** From here on. One that was never told what to do accepts. */
  set(url: string, mode: ReceiverMode): void {
    this.#modes.set(url, mode);
  }

  /** Its answer on the way back to the process that sent: a status, nothing, or a connection that was cut. */
  async take(life: Life, sent: Sent): Promise<number | 'hangs' | 'cut'> {
    const sentAt = this.#schedule.now;
    await this.#schedule.turn(life, `send to ${sent.url}`);
    const fault = this.#schedule.fault(life, `send to ${sent.url}`, 'not received', 'answer lost');
    if (fault === 'not received' || this.#modes.get(sent.url) === 'cuts') return 'cut';
    const status = this.#answer(sent.url);
    this.log.push({ ...sent, sentAt, status });
    if (status === undefined) return 'hangs';
    await this.#schedule.turn(life, `${sent.url} answers ${status}`);
    return fault === 'answer lost' ? 'cut' : status;
  }

  #answer(url: string): number | undefined {
    const mode = this.#modes.get(url) ?? 'accepts';
    const isEven = this.log.filter((each) => each.url === url).length % 2 === 0;
    const answers: Record<ReceiverMode, number | undefined> = {
      accepts: 204,
      fails: 500,
      hangs: undefined,
      flips: isEven ? 500 : 200,
      cuts: undefined,
    };
    return answers[mode];
  }
}

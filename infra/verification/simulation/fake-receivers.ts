import type { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

export const receiverModes = ['accepts', 'fails', 'hangs', 'flips', 'cuts'] as const;
export type ReceiverMode = (typeof receiverModes)[number];

/** A request as it was sent. */
export interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A line of a receiver's own log. */
export interface Received extends Sent {
  /** When it was sent, in the schedule's time. */
  readonly sentAt: number;
  /** Status of its answer; undefined if there was none. */
  readonly status: number | undefined;
}

/** Receivers in memory, one for each address, each with a log of its own. They survive crashes of the service. */
export class FakeReceivers {
  readonly log: Received[] = [];
  readonly #schedule: Schedule;
  readonly #modes = new Map<string, ReceiverMode>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Sets its behaviour from here on. The default is to accept. */
  set(url: string, mode: ReceiverMode): void {
    this.#modes.set(url, mode);
  }

  /** The outcome for the sending process: a status, no answer, or a broken connection. */
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

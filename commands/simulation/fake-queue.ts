import type { WakeUps } from '../../infra/queue/types.ts';
import type { FakeClock } from './fake-clock.ts';
import { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

/** A queue that calls at the due time, once, and can lose all it holds. It is not part of any process that crashes. */
export class FakeQueue {
  readonly #life = new Life('queue');
  readonly #jobs = new Map<string, symbol>();
  readonly #schedule: Schedule;
  readonly #clock: FakeClock;
  #handler: (id: string) => Promise<void> = () => Promise.resolve();

  constructor(schedule: Schedule, clock: FakeClock) {
    this.#schedule = schedule;
    this.#clock = clock;
  }

  connect(life: Life): Pick<WakeUps, 'schedule'> {
    return {
      schedule: async (id, dueAt) => {
        await this.#schedule.turn(life, `schedule ${id}`);
        const fault = this.#schedule.fault(life, `schedule ${id}`, 'the queue is down');
        if (fault !== 'none') throw new Error(fault);
        if (!this.#jobs.has(id)) void this.#wait(id, dueAt);
      },
    };
  }

  /** Whoever handles wake-ups from now on. One that throws is not called again: the sweep does that. */
  onWakeUp(handler: (id: string) => Promise<void>): void {
    this.#handler = handler;
  }

  loseAll(): void {
    this.#jobs.clear();
  }

  async #wait(id: string, dueAt: Date): Promise<void> {
    const job = Symbol(id);
    this.#jobs.set(id, job);
    await this.#schedule.sleep(this.#life, Math.max(0, dueAt.getTime() - this.#clock.now().getTime()));
    if (this.#jobs.get(id) !== job) return;
    this.#jobs.delete(id);
    await this.#schedule.turn(this.#life, `wake-up ${id}`);
    await this.#handler(id).catch(() => undefined);
  }
}

import type { WakeUpHandler, WakeUps } from '../../queue/types.ts';
import type { FakeClock } from './fake-clock.ts';
import { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

/** Milliseconds for which a crashed process keeps its wake-up. */
const lockMs = 40_000;
/** Maximal delay of a wake-up in milliseconds. */
const lateMs = 20_000;

interface Listener {
  readonly life: Life;
  readonly handle: WakeUpHandler;
}

interface Job {
  /** Fires a postponed job at once. */
  hasten: () => void;
}

/**
 * A queue that calls at the due time, mostly, and again if the handler asks for it. It can lose all jobs, call late,
 * and call twice. It survives crashes of the processes; a job that a crashed process held is delivered again.
 */
export class FakeQueue {
  readonly #life: Life;
  readonly #jobs = new Map<string, Job>();
  readonly #schedule: Schedule;
  readonly #clock: FakeClock;
  #listeners: Listener[] = [];
  #hasLostLocks = false;

  constructor(name: string, schedule: Schedule, clock: FakeClock) {
    this.#life = new Life(name);
    this.#schedule = schedule;
    this.#clock = clock;
  }

  connect(life: Life): Pick<WakeUps, 'schedule' | 'scheduleAll' | 'hasten'> {
    const take = async (wakeUps: Parameters<WakeUps['scheduleAll']>[0]): Promise<void> => {
      const what = `schedule ${wakeUps.map(({ id }) => id).join(', ')}`;
      await this.#schedule.turn(life, what);
      const fault = this.#schedule.fault(life, what, 'the queue is down', 'the queue forgets');
      if (fault === 'the queue is down') throw new Error(fault);
      if (fault === 'the queue forgets') return;
      for (const { id, dueAt } of wakeUps) if (!this.#jobs.has(id)) void this.#keep(id, dueAt);
    };
    return {
      schedule: (id, dueAt) => take([{ id, dueAt }]),
      scheduleAll: take,
      hasten: async (id) => {
        await this.#schedule.turn(life, `hasten ${id}`);
        this.#jobs.get(id)?.hasten();
      },
    };
  }

  /** Adds a process that handles wake-ups until it crashes. Errors of a handler are ignored, as the sweep retries. */
  onWakeUp(life: Life, handle: WakeUpHandler): void {
    this.#listeners = [...this.#listeners.filter((each) => each.life.alive), { life, handle }];
  }

  loseAll(): void {
    this.#jobs.clear();
  }

  /** The next wake-up goes to all processes that handle wake-ups. */
  loseLocks(): void {
    this.#hasLostLocks = true;
  }

  /** Keeps the job until no handler asks to be called again. */
  async #keep(id: string, dueAt: Date): Promise<void> {
    const job: Job = { hasten: () => undefined };
    this.#jobs.set(id, job);
    const isKept = (): boolean => this.#jobs.get(id) === job;
    for (let next: Date | undefined = dueAt; next !== undefined; next = await this.#wakeUp(id)) {
      await this.#waitFor(job, next);
      if (!isKept()) return;
    }
    if (isKept()) this.#jobs.delete(id);
  }

  /** Waits by the wall clock. If that is moved back, the wake-up comes early. */
  async #waitFor(job: Job, dueAt: Date): Promise<void> {
    const hastened = new Promise<'over'>((resolve) => (job.hasten = () => resolve('over')));
    for (let end: 'over' | 'set forward' = 'set forward'; end !== 'over';) {
      const ms = Math.max(0, dueAt.getTime() - this.#clock.now().getTime());
      const waiting = new AbortController();
      const isOver = () => 'over' as const;
      const slept = this.#schedule.sleep(this.#life, ms, waiting.signal).then(isOver, isOver);
      const setForward = new Promise<'set forward'>((resolve) =>
        this.#clock.onSetForward(() => resolve('set forward')),
      );
      end = await Promise.race([slept, hastened, setForward]);
      waiting.abort();
    }
  }

  /** Returns when to call again. */
  async #wakeUp(id: string): Promise<Date | undefined> {
    await this.#schedule.turn(this.#life, `wake-up ${id}`);
    const fault = this.#schedule.fault(this.#life, `wake-up ${id}`, 'comes twice', 'comes late');
    if (fault === 'comes late') return this.#in(lateMs);
    const alive = this.#listeners.filter(({ life }) => life.alive);
    const chosen = alive.slice(this.#schedule.choose(alive.length)).slice(0, 1);
    const called = this.#hasLostLocks ? alive : fault === 'comes twice' ? [...chosen, ...chosen] : chosen;
    this.#hasLostLocks = false;
    if (called.length === 0) return this.#in(lateMs);
    const answers = await Promise.all(called.map((listener) => this.#ask(listener, id)));
    return answers.find((again) => again !== undefined);
  }

  async #ask({ life, handle }: Listener, id: string): Promise<Date | undefined> {
    const answer = await Promise.race([handle(id).catch(() => undefined), life.ended]);
    return answer === 'crashed' ? this.#in(lockMs) : answer?.again;
  }

  readonly #in = (ms: number): Date => new Date(this.#clock.now().getTime() + ms);
}

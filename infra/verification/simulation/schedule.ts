import { setImmediate as everyMicrotask } from 'node:timers/promises';
import type { After, Pause } from '../../platform/clock.ts';
import type { Life } from './life.ts';

interface Step {
  readonly label: string;
  readonly life: Life;
  readonly go: () => void;
}

interface Sleeper extends Step {
  readonly wakeAt: number;
}

/**
 * The only scheduler of a simulation. Every await of a port is a step; the next choice selects which of the waiting
 * steps continues, and nothing else runs meanwhile. Time only passes here: a millisecond with each step, and up to the
 * next timer when no step is waiting. The same choices give the same run.
 */
export class Schedule {
  /** What happened, in order; recorded only on demand. */
  readonly trace: string[] | undefined;
  readonly #choices: readonly number[];
  #chosen = 0;
  #steps: Step[] = [];
  #sleepers: Sleeper[] = [];
  #now = 0;
  /** Number of faults that may still happen. */
  #faultsLeft: number;

  /**
   * `choices` decide about steps and faults. After the last one the first step is always taken, and no fault happens, so that
   * shrinking leads to plain runs.
   */
  constructor(choices: readonly number[], { faults, traced = false }: { faults: number; traced?: boolean }) {
    this.#choices = choices;
    this.#faultsLeft = faults;
    this.trace = traced ? [] : undefined;
  }

  /** Milliseconds since the run began; never goes back. */
  get now(): number {
    return this.#now;
  }

  /** Resolves at the process's turn; never after its crash. */
  turn(life: Life, label: string): Promise<void> {
    return new Promise((go) => {
      if (life.alive) this.#steps.push({ label, life, go });
    });
  }

  sleep(life: Life, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!life.alive) return;
      const cut = (): void => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(new Error('The pause was cut short.'));
      };
      const go = (): void => {
        signal?.removeEventListener('abort', cut);
        resolve();
      };
      const sleeper = { wakeAt: this.#now + ms, label: 'wakes up', life, go };
      if (signal?.aborted === true) return cut();
      signal?.addEventListener('abort', cut);
      this.#sleepers.push(sleeper);
    });
  }

  readonly pauseOf =
    (life: Life): Pause =>
    (ms, signal) =>
      this.sleep(life, ms, signal);

  readonly afterOf =
    (life: Life): After =>
    (ms, call) => {
      const off = new AbortController();
      this.sleep(life, ms, off.signal).then(call, () => undefined);
      return () => off.abort();
    };

  /** A number below `options`, by the next choice. */
  choose(options: number): number {
    return options < 2 ? 0 : (this.#choices[this.#chosen++] ?? 0) % options;
  }

  /** One of the faults or, mostly, none. */
  fault<Fault extends string>(life: Life, label: string, ...faults: readonly Fault[]): Fault | 'none' {
    if (this.#faultsLeft === 0) return 'none';
    const choice = this.#choices[this.#chosen++] ?? 0;
    const fault = faults[Math.floor((choice - firstFault) / faultWidth)];
    if (fault === undefined) return 'none';
    this.#faultsLeft -= 1;
    this.record(life, `${label}: ${fault}`);
    return fault;
  }

  record(life: Life, what: string): void {
    this.trace?.push(`${this.#now} ms ${life.name}: ${what}`);
  }

  /** From here on steps continue in their order, and nothing fails. */
  calm(): void {
    this.#faultsLeft = 0;
    this.#chosen = this.#choices.length;
  }

  /** Advances time without firing timers. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Runs until only timers after `until` (milliseconds since the run began) are left, or `isOver` returns true. */
  async run(until: () => number, isOver: () => boolean = () => false): Promise<void> {
    for (;;) {
      await everyMicrotask();
      // Twice, because microtasks may queue others at the end of their turn.
      await everyMicrotask();
      if (isOver()) return;
      this.#wakeUp();
      const step = this.#next();
      if (step === undefined) {
        if (!this.#sleepTo(until())) return;
        continue;
      }
      this.#now += 1;
      this.record(step.life, step.label);
      step.go();
    }
  }

  #next(): Step | undefined {
    this.#steps = this.#steps.filter(({ life }) => life.alive);
    const [step] = this.#steps.splice(this.choose(this.#steps.length), 1);
    return step;
  }

  #wakeUp(): void {
    if (!this.#sleepers.some(({ wakeAt, life }) => wakeAt <= this.#now || !life.alive)) return;
    const due = this.#sleepers.filter(({ wakeAt }) => wakeAt <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ wakeAt, life }) => wakeAt > this.#now && life.alive);
    this.#steps.push(...due.sort((a, b) => a.wakeAt - b.wakeAt));
  }

  #sleepTo(until: number): boolean {
    const next = Math.min(...this.#sleepers.filter(({ life }) => life.alive).map(({ wakeAt }) => wakeAt));
    if (next > until) return false;
    this.#now = next;
    return true;
  }
}

/** Choices are bytes. From here on they mean faults, so many values for each; those below mean none. */
const firstFault = 208;
const faultWidth = 16;

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
 * The one scheduler of a simulation. Every await of a port is a step; of the steps that wait, the next choice names the
 * one that goes on, and nothing else runs meanwhile. Time passes only here: a millisecond with each step, and up to the
 * next sleeper when nobody else can go on. The same choices give the same run.
 */
export class Schedule {
  /** What happened, in order; kept only when asked for. */
  readonly trace: string[] | undefined;
  readonly #choices: readonly number[];
  #chosen = 0;
  #steps: Step[] = [];
  #sleepers: Sleeper[] = [];
  #now = 0;
  /** How many faults may still happen. */
  #faultsLeft: number;

  /** Past the last of the choices the first one is taken, and no fault happens: so runs shrink towards plain ones. */
  constructor(choices: readonly number[], { faults, traced = false }: { faults: number; traced?: boolean }) {
    this.#choices = choices;
    this.#faultsLeft = faults;
    this.trace = traced ? [] : undefined;
  }

  /** Milliseconds since the run began; never goes back. */
  get now(): number {
    return this.#now;
  }

  /** Where a process waits until it is its turn. Never resolves once it crashed. */
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

  /** One of so many, by the next choice. */
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

  /** From here on every process goes on in the order it came, and nothing fails. */
  calm(): void {
    this.#faultsLeft = 0;
    this.#chosen = this.#choices.length;
  }

  /** Lets time pass without waking anybody up for it. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Runs until there is nothing to do but sleep past `until` (milliseconds since the run began), or `isOver` says so. */
  async run(until: () => number, isOver: () => boolean = () => false): Promise<void> {
    for (;;) {
      await everyMicrotask();
      // What the microtasks put off to the end of their turn is done before anybody goes on.
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

/** Choices are bytes; those from here on stand for faults, so many for each, the ones below for none. */
const firstFault = 208;
const faultWidth = 16;

import { v4 as uuidv4 } from 'uuid';
import { hourMs } from '../../contracts/durations.ts';
import { statusComponentIds, type StatusComponent } from '../../contracts/status.ts';
import { probe, probeUuid, type ProbeCommand } from '../../domain/probe.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { messageOf } from '../../infra/platform/error-message.ts';
import { within } from '../../infra/platform/timeout.ts';
import { now, stepContext, systemContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';

/** Probes a component; rejects if it does not work. */
export type Probes = Readonly<Record<StatusComponent, () => Promise<unknown>>>;

export interface ProberPorts {
  readonly runner: Pick<Runner, 'run'>;
  readonly clock: Clock;
  readonly probes: Probes;
  /** Timeout of one probe, in milliseconds. */
  readonly limitMs: number;
  /** Called with every result. */
  readonly onResult?: (component: StatusComponent, error: string | null) => void;
}

export interface Prober {
  /**
   * Probes every component once, and records changes. Rejects if that fails; the next round retries. `term`: the signal of the leader's
   * term. Only results of one term are in a row, as another process may have probed between two.
   */
  round(term: AbortSignal): Promise<void>;
  /** Records the counts since the last full hour. */
  flush(): Promise<void>;
}

/** Consecutive failures or successes that change the state of a component. */
const inARow = 2;
/**
 * Grace for a component to start working, from the first probe on: the processes of a stack start together, and a
 * prober that starts early must not report the others as failed.
 */
const startingMs = 30_000;
const longestError = 300;

/**
 * Probes all components and folds the results into one event per hour and component, and one per change. The counts of a killed
 * process are lost: uptime is then a slightly smaller sample, and never wrong.
 */
export function createProber(ports: ProberPorts): Prober {
  const id = uuidv4();
  const tallies = statusComponentIds.map((component) => new Tally(ports, id, component));
  return {
    round: async (term) => {
      await recorded(tallies.map((tally) => tally.round(term)));
    },
    flush: async () => {
      await recorded(tallies.map((tally) => tally.flush()));
    },
  };
}

/** Waits for all, then rejects with the first failure. */
async function recorded(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface Counted {
  readonly from: string;
  readonly hour: number;
  probes: number;
  failures: number;
  /** Time of the last result. */
  at: string;
}

/** The results of one component. */
class Tally {
  readonly #ports: ProberPorts;
  readonly #prober: string;
  readonly #component: StatusComponent;
  /** Time of the first probe. */
  #startingSince: Date | undefined;
  /** Whether a probe has succeeded, or the grace is over. */
  #hasBegun = false;
  #counted: Counted | undefined;
  /** Counts of earlier hours that are not recorded yet, oldest first. */
  readonly #ended: Counted[] = [];
  /** The last result, how often it came in a row, and in which term. */
  #last: { readonly isUp: boolean; readonly times: number; readonly term: AbortSignal } | undefined;

  /** `prober`: unique id of the prober, for the ids of its events. */
  constructor(ports: ProberPorts, prober: string, component: StatusComponent) {
    this.#ports = ports;
    this.#prober = prober;
    this.#component = component;
  }

  async round(term: AbortSignal): Promise<void> {
    const { probes, limitMs, clock, onResult } = this.#ports;
    const at = clock.now();
    if (hourOf(at) !== this.#counted?.hour) this.#endHour();
    const error = await within(limitMs, probes[this.#component]()).then(() => null, describe);
    onResult?.(this.#component, error);
    if (this.#isStarting(at, error)) return;
    this.#count(at, error === null, term);
    await this.#recordEnded();
    await this.#record(error);
  }

  /** True for a failure during the grace, which does not count. */
  #isStarting(at: Date, error: string | null): boolean {
    this.#startingSince ??= at;
    this.#hasBegun ||= error === null || at.getTime() - this.#startingSince.getTime() >= startingMs;
    return !this.#hasBegun;
  }

  async flush(): Promise<void> {
    this.#endHour();
    await this.#recordEnded();
  }

  #endHour(): void {
    if (this.#counted !== undefined) this.#ended.push(this.#counted);
    this.#counted = undefined;
  }

  /** After the probe, so that an outage of the event store at the end of an hour does not end the probing. */
  async #recordEnded(): Promise<void> {
    const component = this.#component;
    for (let [first] = this.#ended; first !== undefined; [first] = this.#ended) {
      const { hour: _, ...counts } = first;
      await this.#run({ type: 'CountProbes', component, ...counts }, counts.from);
      if (this.#ended[0] === first) this.#ended.shift();
    }
  }

  #count(at: Date, isUp: boolean, term: AbortSignal): void {
    const from = at.toISOString();
    this.#counted ??= { from, at: from, hour: hourOf(at), probes: 0, failures: 0 };
    this.#counted.probes += 1;
    this.#counted.failures += isUp ? 0 : 1;
    this.#counted.at = from;
    const last = this.#last;
    const before = last?.isUp === isUp && last.term === term ? last.times : 0;
    this.#last = { isUp, term, times: before + 1 };
  }

  /** Decided on the stream each time: another process may have recorded something else since this one did. */
  async #record(error: string | null): Promise<void> {
    const isUp = error === null;
    if (this.#last === undefined || this.#last.times < inARow) return;
    const component = this.#component;
    const at = now(this.#ports);
    await this.#run(
      isUp ? { type: 'ReportUp', component, at } : { type: 'ReportDown', component, error, at },
      at,
    );
  }

  async #run(command: ProbeCommand, name: string): Promise<void> {
    const prober = systemContext(`prober ${this.#prober}`, 'timer:prober');
    const context = stepContext(prober, `${this.#component} ${command.type} ${name}`);
    await this.#ports.runner.run(probe, probeUuid(this.#component), command, context);
  }
}

const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs);

const describe = (error: unknown): string => messageOf(error).slice(0, longestError).toWellFormed();

import type { WebhookId } from '../../../contracts/ids.ts';
import type { CountOutcomes, Outcome } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';

/** So many outcomes are counted in one append. */
const together = 100;

/** After an append the endpoint's stream is left to others for so long, and for so many times what the append took; ms. */
const shortestRestMs = 20;
const longestRestMs = 250;
const restFor = 3;

interface Uncounted {
  readonly outcome: Outcome;
  hasFailed: boolean;
}

/** What a host knows, in one term, of the outcomes of one endpoint. */
export class Tally {
  /** By their positions, in the order in which they came. */
  readonly #uncounted = new Map<bigint, Uncounted>();
  #hasNoFailures = false;
  #restsUntil = 0;

  get isIdle(): boolean {
    return this.#uncounted.size === 0;
  }

  /** False of a success that has nothing to clear. */
  add(outcome: Outcome): boolean {
    if (outcome.succeeded && this.#hasNoFailures) return false;
    this.#hasNoFailures = false;
    const { position } = outcome;
    if (!this.#uncounted.has(position)) this.#uncounted.set(position, { outcome, hasFailed: false });
    return true;
  }

  lacks(position: bigint): boolean {
    return this.#uncounted.has(position);
  }

  /** Milliseconds for which its stream is left to others. */
  restMs(now: number): number {
    return Math.max(0, this.#restsUntil - now);
  }

  /**
   * The outcome there, with those behind it that can be counted in the same decision: what failed with others is tried
   * alone, and holds up nobody else.
   */
  from(position: bigint): Pick<CountOutcomes, 'outcomes' | 'isIncomplete'> {
    const first = this.#uncounted.get(position);
    const all = [...this.#uncounted.values()];
    const behind = all.filter(({ outcome, hasFailed }) => !hasFailed && outcome.position >= position);
    const some = first?.hasFailed === true ? [first] : behind.slice(0, together);
    const outcomes = some.map(({ outcome }) => outcome);
    const last = outcomes.reduce(
      (latest, each) => (each.position > latest ? each.position : latest),
      position,
    );
    const upTo = all.filter(({ outcome }) => outcome.position <= last).length;
    return { outcomes, isIncomplete: upTo > outcomes.length };
  }

  failed(position: bigint): void {
    const first = this.#uncounted.get(position);
    if (first) first.hasFailed = true;
  }

  counted(outcomes: readonly Outcome[], hasNoFailures: boolean): void {
    for (const { position } of outcomes) this.#uncounted.delete(position);
    this.#hasNoFailures = hasNoFailures && this.isIdle;
  }

  rest(now: number, appendMs: number): void {
    this.#restsUntil = now + Math.min(longestRestMs, Math.max(shortestRestMs, restFor * appendMs));
  }
}

/** The tallies of so many endpoints, and of as many more as have outcomes that are not counted. */
export class Tallies {
  readonly #of = new Map<WebhookId, Tally>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  of(webhookId: WebhookId): Tally {
    const tally = this.#of.get(webhookId) ?? new Tally();
    this.#use(webhookId, tally);
    const [oldest] = this.#of;
    if (this.#of.size > this.#limit && oldest !== undefined) {
      if (oldest[1].isIdle) this.#of.delete(oldest[0]);
      else this.#use(...oldest);
    }
    return tally;
  }

  clear(): void {
    this.#of.clear();
  }

  #use(webhookId: WebhookId, tally: Tally): void {
    this.#of.delete(webhookId);
    this.#of.set(webhookId, tally);
  }
}

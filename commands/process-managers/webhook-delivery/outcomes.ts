import {
  webhookDeliveryEvents,
  type WebhookDeliveryEvent,
} from '../../../contracts/events/webhook-delivery.ts';
import { uuidOf, type AccountId, type WebhookId } from '../../../contracts/ids.ts';
import {
  webhookEndpoint,
  type CountOutcomes,
  type Outcome,
} from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Pause } from '../../../infra/platform/clock.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { ownedContext, reactionContext, stepContext } from '../../engine/context.ts';
import { hasKnownType } from '../../engine/recording.ts';
import type { CommandPorts } from '../../engine/runner.ts';
import type { ProcessManager } from '../engine/process-manager.ts';

/** Maximum number of outcomes counted in one append. */
const maxBatch = 100;

/** Pause after an append to an endpoint's stream, so that others can write: a fixed part in ms, and a multiple of the append's duration. */
const shortestRestMs = 20;
const longestRestMs = 250;
const restFor = 3;

interface Uncounted {
  readonly outcome: Outcome;
  hasFailed: boolean;
}

/** The outcomes of one endpoint during one term of a host. */
class Tally {
  /** Uncounted outcomes by position, in the order of arrival. */
  readonly #uncounted = new Map<bigint, Uncounted>();
  #hasNoFailures = false;
  #restsUntil = 0;

  get isIdle(): boolean {
    return this.#uncounted.size === 0;
  }

  /** False for a success with no failures to clear. */
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

  /** Remaining pause of its stream, in milliseconds. */
  restMs(now: number): number {
    return Math.max(0, this.#restsUntil - now);
  }

  /**
   * The outcome at this position, and later ones that can be counted in the same decision. Outcomes that failed together are
   * retried one by one, so that a bad one does not block the others.
   */
  from(position: bigint): Pick<CountOutcomes, 'outcomes' | 'isIncomplete'> {
    const first = this.#uncounted.get(position);
    const all = [...this.#uncounted.values()];
    const behind = all.filter(({ outcome, hasFailed }) => !hasFailed && outcome.position >= position);
    const some = first?.hasFailed === true ? [first] : behind.slice(0, maxBatch);
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

/** Tallies of a bounded number of endpoints, plus those with uncounted outcomes. */
class Tallies {
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

export interface OutcomesPorts extends CommandPorts {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly pause: Pause;
  /** Number of consecutive failures that disables an endpoint. */
  readonly disableAfter: number;
  /** Number of endpoints without failures to cache. */
  readonly entries?: number;
}

interface OutcomeOf {
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly outcome: Outcome;
}

const name = 'webhook-outcomes';
const outcomes: readonly WebhookDeliveryEvent['type'][] = ['DeliverySucceeded', 'DeliveryAttemptFailed'];

/**
 * Counts the outcomes of attempts, for each endpoint (its partition) in the order of the log. Outcomes queued in a partition are
 * counted with the first of them, in one append; a pause follows, so that the owner's commands on the same stream succeed between
 * two appends.
 *
 * A success of an endpoint known to have no failures needs no read and no append. The count is exact nevertheless:
 *
 * - An endpoint is known to have none once its state was read, or written, for an outcome in this term, without failures and
 *   without a queued or parked outcome. Any failure invalidates that first.
 * - Only the leader counts, every outcome behind its checkpoint and in order. At a success it knows all earlier failures: it
 *   counted them, found them counted, or knows that they are parked.
 * - The previous leader may still append a count that it had begun, also behind the checkpoint. If that is before the success,
 *   this leader has met it as a conflict when it counted the same outcome; if after, the success has nothing of it to clear.
 * - A host that becomes leader again starts with an empty cache.
 */
export function webhookOutcomes(ports: OutcomesPorts): ProcessManager {
  const tallies = new Tallies(ports.entries ?? 50_000);
  /** Adds the outcome to its endpoint's tally. */
  const arrived = (event: RecordedEvent): WebhookId | undefined => {
    const found = event.data === undefined ? undefined : outcomeOf(event);
    return found && tallies.of(found.webhookId).add(found.outcome) ? found.webhookId : undefined;
  };
  return {
    name,
    types: outcomes,
    partition: arrived,
    begin: (parked) => {
      tallies.clear();
      parked.forEach(arrived);
    },
    handle: async (event) => {
      const found = outcomeOf(event);
      if (found && tallies.of(found.webhookId).lacks(found.outcome.position))
        await count(ports, tallies, event, found);
    },
  };
}

/** Counts the event's outcome, and those queued behind it. */
async function count(
  { runner, clock, now, pause, disableAfter }: OutcomesPorts,
  tallies: Tallies,
  event: RecordedEvent,
  { webhookId, accountId, outcome: { position } }: OutcomeOf,
): Promise<void> {
  const restMs = tallies.of(webhookId).restMs(now());
  if (restMs > 0) await pause(restMs, new AbortController().signal);
  const batch = tallies.of(webhookId).from(position);
  const command = { type: 'CountOutcomes', ...batch, disableAfter, at: clock.now().toISOString() } as const;
  // A retry with more outcomes behind it makes other events, which need other ids.
  const cause = stepContext(reactionContext(name, event), String(batch.outcomes.at(-1)?.position));
  const beganAt = now();
  try {
    const context = ownedContext(cause, accountId);
    const { state, events } = await runner.run(webhookEndpoint, uuidOf(webhookId), command, context);
    const tally = tallies.of(webhookId);
    tally.counted(batch.outcomes, state.status === 'active' && state.failures.length === 0);
    if (events.length > 0) tally.rest(now(), now() - beganAt);
  } catch (error) {
    tallies.of(webhookId).failed(position);
    throw error;
  }
}

function outcomeOf(event: RecordedEvent): OutcomeOf | undefined {
  if (!hasKnownType<WebhookDeliveryEvent>(webhookDeliveryEvents, event)) return undefined;
  if (event.type !== 'DeliverySucceeded' && event.type !== 'DeliveryAttemptFailed') return undefined;
  const { deliveryId, webhookId, accountId, attempt } = event.data;
  const position = event.position.commit;
  const outcome = { deliveryId, attempt, succeeded: event.type === 'DeliverySucceeded', position };
  return { webhookId, accountId, outcome };
}

import { uuidOf, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';
import {
  isOpen,
  webhookDelivery,
  type OpenDelivery,
  type ScheduleDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { After } from '../../infra/platform/clock.ts';
import type { Again } from '../../infra/queue/types.ts';
import type { CommandContext } from '../engine/context.ts';
import type { DeliveryPorts } from './ports.ts';
import { createGone, type Address, type Receivers } from './receivers.ts';
import {
  cancel,
  record,
  recordFirst,
  schedule,
  scheduledBy,
  wakeUpFor,
  wakeUpIdOf,
  type Made,
  type Recorded,
} from './recording.ts';
import { Semaphore } from '../../infra/platform/semaphore.ts';
import { following, inSpan } from '../../infra/tracing/index.ts';
import type { Slot, Slots } from './slots.ts';

export interface Attempting extends DeliveryPorts {
  readonly receivers: Receivers;
  readonly slots: Slots;
}

/** One trace per delivery. */
const delivering = { name: 'deliver webhook', kind: 'consumer' } as const;

/**
 * Makes one attempt, if it is due. After a crash anywhere, the delivery's stream says what is left to do: an unrecorded attempt
 * is repeated, a recorded one only needs the next wake-up.
 */
export async function makeAttempt(
  ports: Attempting,
  deliveryId: WebhookDeliveryId,
  attempt: number,
): Promise<Again | undefined> {
  const early = ports.slots.tooEarly(wakeUpIdOf(deliveryId, attempt));
  if (early) return comeBack(ports, early.waitMs);
  const delivery = await openDelivery(ports, deliveryId);
  return following([delivery?.last?.metadata.traceparent], delivering, () =>
    attemptOf(ports, delivery, deliveryId, attempt),
  );
}

type Opened = Awaited<ReturnType<typeof openDelivery>>;

async function attemptOf(
  ports: Attempting,
  delivery: Opened,
  deliveryId: WebhookDeliveryId,
  attempt: number,
): Promise<Again | undefined> {
  const { receivers, slots } = ports;
  const wakeUpId = wakeUpIdOf(deliveryId, attempt);
  if (delivery?.attempts !== attempt - 1) {
    slots.forget(wakeUpId);
    // The process that recorded this attempt may have crashed before it scheduled the next one.
    if (delivery && delivery.attempts >= attempt)
      await wakeUpFor(ports, delivery, delivery.attempts + 1, delivery.dueAt);
    return undefined;
  }
  const receiver = await receivers.of(delivery.webhookId);
  if (!('url' in receiver)) {
    slots.forget(wakeUpId);
    if ('waitMs' in receiver) return comeBack(ports, receiver.waitMs);
    await cancel(ports, delivery, receiver.gone);
    return undefined;
  }
  const dueAt = new Date(delivery.dueAt);
  if (dueAt > ports.clock.now()) return { again: dueAt };
  const entry = await slots.enter(delivery.webhookId, wakeUpId);
  if ('waitMs' in entry) return comeBack(ports, entry.waitMs);
  const address = await asOfNow(receivers, delivery.webhookId, receiver);
  await record(ports, delivery, await sendIn(ports, entry, address, delivery, attempt));
  return undefined;
}

/**
 * Reads the address again after the wait for a slot: a secret may have been rotated. The next attempt handles a deleted endpoint.
 */
async function asOfNow(receivers: Receivers, webhookId: WebhookId, before: Address): Promise<Address> {
  const now = await receivers.of(webhookId).catch(() => before);
  return 'url' in now ? now : before;
}

/** Makes the attempt, and releases the slot. */
async function sendIn(
  ports: Attempting,
  slot: Slot,
  receiver: Address,
  delivery: OpenDelivery | ScheduleDelivery,
  attempt: number,
): Promise<Made> {
  let hasSucceeded = false;
  try {
    const made = await send(ports, delivery, receiver, attempt);
    hasSucceeded = made.result.outcome === 'succeeded';
    return made;
  } finally {
    slot.end(hasSucceeded);
  }
}

const comeBack = ({ clock }: DeliveryPorts, waitMs: number): Again => ({
  again: new Date(clock.now().getTime() + waitMs),
});

async function openDelivery({ runner }: Pick<DeliveryPorts, 'runner'>, deliveryId: WebhookDeliveryId) {
  const { state, last } = await runner.load(webhookDelivery, uuidOf(deliveryId));
  return isOpen(state) ? { ...state, last } : undefined;
}

async function send(
  { send, clock, onAttempt }: DeliveryPorts,
  { body, eventId, eventType, trigger }: OpenDelivery | ScheduleDelivery,
  { url, secretsAt }: Address,
  attempt: number,
): Promise<Made> {
  const startedAt = clock.now();
  const { result, timings } = await inSpan(postTo(url, attempt), async (span) => {
    const sent = await send({ url, body, eventId, eventType, secrets: secretsAt(startedAt) });
    const { responseStatus } = sent.result;
    span.set({ 'http.response.status_code': responseStatus ?? undefined });
    if (sent.result.outcome === 'failed') span.fail(sent.result.error ?? String(responseStatus));
    return sent;
  });
  onAttempt?.({
    outcome: result.outcome,
    error: result.outcome === 'failed' ? result.error : null,
    responseStatus: result.responseStatus,
    milliseconds: timings.totalMs,
    sinceEventMs: trigger === 'event' && attempt === 1 ? since(body, startedAt) : null,
  });
  return { attempt, startedAt: startedAt.toISOString(), result, timings };
}

/** The last envelope whose time was read: an event goes to all endpoints of its account, one after the other. */
let announced = { body: '', createdAt: NaN };

/** Milliseconds since the announced event, by its envelope. */
function since(body: string, at: Date): number | null {
  if (body !== announced.body) {
    const { created_at = '' } = JSON.parse(body) as Partial<WebhookEnvelope>;
    announced = { body, createdAt: Date.parse(created_at) };
  }
  const ms = at.getTime() - announced.createdAt;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Only the receiver's host: paths may contain secrets. */
const postTo = (url: string, attempt: number) =>
  ({
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': new URL(url).hostname,
      'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    },
  }) as const;

/** Cancels deliveries whose endpoint is deleted or disabled, due or not; leaves others as they are. */
export function createCancelling(
  ports: Pick<DeliveryPorts, 'runner' | 'clock' | 'now'>,
): (deliveryId: WebhookDeliveryId) => Promise<void> {
  const goneOf = createGone(ports);
  return async (deliveryId) => {
    const delivery = await openDelivery(ports, deliveryId);
    if (delivery === undefined) return;
    const gone = await goneOf(delivery.webhookId);
    if (gone !== undefined) await cancel(ports, delivery, gone);
  };
}

/**
 * An attempt that ends within this time, in milliseconds, is recorded together with its delivery in one append. Until then only
 * its event is in the log, and counts as not reacted to.
 */
const quickMs = 250;

/** Margin in milliseconds after an attempt's limit, after which it has certainly ended. */
const slackMs = 5000;

/**
 * Makes first attempts where the delivery is scheduled, before it is recorded: most receivers answer at once, so no queue is
 * needed. A longer attempt is recorded while it runs, with a due time after its limit: if this process dies, the sweep finds it
 * then.
 */
export class FirstAttempts {
  readonly #ports: Attempting;
  readonly #underWay: Set<WebhookDeliveryId>;
  readonly #permits: Semaphore;
  /** Attempts that exceed `quickMs`. */
  readonly #slow = new Set<Promise<void>>();

  /** @param underWay the attempts running in this process */
  constructor(ports: Attempting, underWay: Set<WebhookDeliveryId>) {
    this.#ports = ports;
    this.#underWay = underWay;
    this.#permits = new Semaphore(ports.attemptsAtOnce);
  }

  /**
   * Makes the first attempt of an unrecorded delivery. True once the delivery is recorded; false without a free slot or an active
   * receiver: it is then scheduled like any other.
   */
  async make(delivery: ScheduleDelivery, cause: CommandContext): Promise<boolean> {
    if (this.#underWay.has(delivery.deliveryId)) return false;
    return this.#permits.hold(async () => {
      const hasRoom = this.#slow.size < this.#ports.attemptsAtOnce;
      const chance = hasRoom ? await chanceOf(this.#ports, delivery) : undefined;
      if (chance === undefined) return false;
      await following([cause.link], delivering, () => this.#send(chance, delivery, cause));
      return true;
    });
  }

  /** Resolves once the outcome of every started attempt is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#slow);
  }

  async #send({ slot, receiver }: Chance, delivery: ScheduleDelivery, cause: CommandContext): Promise<void> {
    const ports = this.#ports;
    this.#underWay.add(delivery.deliveryId);
    const sending = sendIn(ports, slot, receiver, delivery, 1);
    if (slot.usualMs <= quickMs && (await endsWithin(sending, quickMs, ports.after))) {
      this.#underWay.delete(delivery.deliveryId);
      return recordFirst(ports, delivery, await sending, cause);
    }
    const until = new Date(ports.clock.now().getTime() + ports.attemptLimitMs + slackMs);
    this.#outlast(sending, { ...delivery, last: scheduledBy(delivery, cause) });
    await schedule(ports, { ...delivery, underWayUntil: until.toISOString() }, cause);
  }

  #outlast(sending: Promise<Made>, delivery: Recorded): void {
    const ports = this.#ports;
    const { deliveryId } = delivery;
    const ending = sending
      .then((made) => record(ports, delivery, made))
      .catch((error: unknown) => {
        const about = { err: error, delivery: deliveryId, attempt: 1 };
        ports.logger.warn(about, 'A first attempt was not recorded.');
      })
      .finally(() => {
        this.#slow.delete(ending);
        this.#underWay.delete(deliveryId);
      });
    this.#slow.add(ending);
  }
}

/** An active receiver, and one of its slots. */
interface Chance {
  readonly receiver: Address;
  readonly slot: Slot;
}

async function chanceOf(
  { receivers, slots }: Attempting,
  { webhookId, deliveryId }: ScheduleDelivery,
): Promise<Chance | undefined> {
  try {
    const receiver = await receivers.of(webhookId);
    if (!('url' in receiver)) return undefined;
    const slot = await slots.tryToEnter(webhookId, wakeUpIdOf(deliveryId, 1));
    return slot && { receiver: await asOfNow(receivers, webhookId, receiver), slot };
  } catch {
    // Any error is logged when the attempt is due again.
    return undefined;
  }
}

/** True if the work settles within the given milliseconds. */
const endsWithin = (work: Promise<unknown>, ms: number, after: After): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = after(ms, () => resolve(false));
    const ended = (): void => {
      callOff();
      resolve(true);
    };
    work.then(ended, ended);
  });

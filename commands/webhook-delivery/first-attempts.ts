import type { WebhookDeliveryId } from '../../contracts/ids.ts';
import type { ScheduleDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { After } from '../../infra/platform/clock.ts';
import type { CommandContext } from '../engine/context.ts';
import { asOfNow, sendIn, type Attempting } from './attempt.ts';
import { Semaphore } from './semaphore.ts';
import type { Address } from './receivers.ts';
import { record, recordFirst, schedule, type Made } from './recording.ts';
import type { Slot } from './slots.ts';
import { wakeUpIdOf } from './wake-up-id.ts';

/**
 * An attempt that ends within this is recorded together with its delivery, in one append; milliseconds. Until then only the
 * event it follows from tells of it, which counts as not reacted to.
 */
const quickMs = 250;

/** Attempts to a receiver that hangs end by their own limit; this long after it nobody is at it any more, milliseconds. */
const slackMs = 5000;

/**
 * A first attempt is made where the delivery is scheduled, before it is recorded: most receivers answer at once, and then
 * there is nothing to hand on to anybody. What takes longer is recorded while it is under way, due again only when it must
 * have ended: should this process die, the sweep finds it then.
 */
export class FirstAttempts {
  readonly #attempting: Attempting;
  readonly #underWay: Set<WebhookDeliveryId>;
  readonly #permits: Semaphore;
  /** Those that outlast the moment. */
  readonly #slow = new Set<Promise<void>>();

  /** @param underWay what this process is at, whoever began it */
  constructor(attempting: Attempting, underWay: Set<WebhookDeliveryId>) {
    this.#attempting = attempting;
    this.#underWay = underWay;
    this.#permits = new Semaphore(attempting.ports.attemptsAtOnce);
  }

  /**
   * Makes the first attempt of a delivery that is not in the record yet. True once the record says what is left to do;
   * false when there is no room for it now, or nobody to send to: then the delivery is to be scheduled like any other.
   */
  async make(delivery: ScheduleDelivery, cause: CommandContext): Promise<boolean> {
    if (this.#underWay.has(delivery.deliveryId)) return false;
    await this.#permits.acquire();
    try {
      const hasRoom = this.#slow.size < this.#attempting.ports.attemptsAtOnce;
      const chance = hasRoom ? await chanceOf(this.#attempting, delivery) : undefined;
      if (chance === undefined) return false;
      await this.#send(chance, delivery, cause);
      return true;
    } finally {
      this.#permits.release();
    }
  }

  /** Resolves when every attempt that was begun has ended in the record. */
  async settled(): Promise<void> {
    await Promise.all(this.#slow);
  }

  async #send({ slot, receiver }: Chance, delivery: ScheduleDelivery, cause: CommandContext): Promise<void> {
    const { ports } = this.#attempting;
    this.#underWay.add(delivery.deliveryId);
    const sending = sendIn(this.#attempting, slot, receiver, delivery, 1);
    if (slot.usualMs <= quickMs && (await endsWithin(sending, quickMs, ports.after))) {
      this.#underWay.delete(delivery.deliveryId);
      return recordFirst(ports, delivery, await sending, cause);
    }
    this.#outlast(sending, delivery);
    const until = new Date(ports.clock.now().getTime() + ports.attemptLimitMs + slackMs);
    await schedule(ports, { ...delivery, underWayUntil: until.toISOString() }, cause);
  }

  #outlast(sending: Promise<Made>, delivery: ScheduleDelivery): void {
    const { ports } = this.#attempting;
    const { deliveryId } = delivery;
    const ending = sending
      .then((made) => record(ports, delivery, made))
      .catch((error: unknown) => {
        ports.logger.warn(
          { err: error, delivery: deliveryId, attempt: 1 },
          'A first attempt is not recorded.',
        );
      })
      .finally(() => {
        this.#slow.delete(ending);
        this.#underWay.delete(deliveryId);
      });
    this.#slow.add(ending);
  }
}

/** Somebody to send to, and a slot there. */
interface Chance {
  readonly receiver: Address;
  readonly slot: Slot;
}

async function chanceOf(
  attempting: Attempting,
  { webhookId, deliveryId }: ScheduleDelivery,
): Promise<Chance | undefined> {
  const { receivers, slots } = attempting;
  try {
    const receiver = await receivers.of(webhookId);
    if (!('url' in receiver)) return undefined;
    const slot = await slots.tryToEnter(webhookId, wakeUpIdOf(deliveryId, 1));
    return slot && { receiver: await asOfNow(receivers, webhookId, receiver), slot };
  } catch {
    // Whatever it is, it is told of when the attempt's turn comes again.
    return undefined;
  }
}

/** Whether the work ends, well or not, before so many milliseconds have passed. */
const endsWithin = (work: Promise<unknown>, ms: number, after: After): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = after(ms, () => resolve(false));
    const ended = (): void => {
      callOff();
      resolve(true);
    };
    work.then(ended, ended);
  });

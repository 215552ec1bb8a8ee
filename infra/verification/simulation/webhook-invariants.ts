import type { WebhookDeliveryEvent } from '../../../contracts/events/webhook-delivery.ts';
import type { WebhookDeliveryId, WebhookId, WebhookReplayId } from '../../../contracts/ids.ts';
import { verifyWebhook } from '../../../contracts/webhooks/verify.mjs';
import {
  isOpen,
  webhookDelivery,
  type WebhookDelivery,
} from '../../../domain/webhook-delivery/webhook-delivery.ts';
import type { Received } from './fake-receivers.ts';
import { disableAfter } from './processes.ts';
import { Expected, isDelivery, isEndpoint, isReplay, type Of } from './webhook-oracle.ts';
import type { World } from './world.ts';

/** The promises of webhooks, judged by the log and the receivers' own logs. */
export const webhookPromises: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'N2 sent to whoever subscribed': sentToSubscribers,
  'N2 one end': everyDeliveryEnds,
  'N2 delivered means received': deliveredMeansReceived,
  'N2 signed by a live secret': signedByLiveSecrets,
  'N2 replays': replaysAreWhole,
  'one replay at a time': replaysFollowEachOther,
  'N5 attempts': attemptsAreDue,
  'failures counted': failuresAreCounted,
};

type Recorded = Of<WebhookDeliveryEvent>;

/** History of every delivery. */
function storiesOf({ store }: World): Map<WebhookDeliveryId, Recorded[]> {
  const stories = new Map<WebhookDeliveryId, Recorded[]>();
  for (const event of store.log.filter(isDelivery)) {
    const { deliveryId } = event.data;
    stories.set(deliveryId, [...(stories.get(deliveryId) ?? []), event]);
  }
  return stories;
}

const stateAfter = (story: readonly Recorded[]): WebhookDelivery =>
  story.reduce(webhookDelivery.evolve, webhookDelivery.initialState);

function sentToSubscribers(world: World): string[] {
  const { deliveries } = new Expected(world.store.log);
  const made = new Set<WebhookDeliveryId>();
  for (const [id, [first]] of storiesOf(world)) {
    if (first?.type === 'DeliveryScheduled' && first.data.trigger !== 'replay') made.add(id);
  }
  const missing = [...deliveries].filter((id) => !made.has(id)).map((id) => `${id} is missing`);
  const surplus = [...made].filter((id) => !deliveries.has(id)).map((id) => `${id} is for nobody`);
  return [...missing, ...surplus];
}

const ends: ReadonlySet<string> = new Set<WebhookDeliveryEvent['type']>([
  'DeliverySucceeded',
  'DeliveryDeadLettered',
  'DeliveryCancelled',
]);

/** Each round has one end, and the last round is over; a delivery is only cancelled when its endpoint is gone. */
function everyDeliveryEnds(world: World): string[] {
  const { endpoints } = new Expected(world.store.log);
  return [...storiesOf(world)].flatMap(([id, story]) => {
    const state = stateAfter(story);
    if (isOpen(state)) return [`${id} is ${state.status}`];
    const rounds = 1 + story.filter(({ type }) => type === 'DeliveryRequeued').length;
    const over = story.filter(({ type }) => ends.has(type)).map(({ type }) => type);
    // An attempt that was in flight when its delivery was cancelled may still succeed.
    const isLate = over.at(-2) === 'DeliveryCancelled' && over.at(-1) === 'DeliverySucceeded';
    const ended = isLate ? over.length - 1 : over.length;
    if (ended !== rounds) return [`${id} ended ${ended} times in ${rounds} rounds`];
    if (state.status !== 'cancelled') return [];
    const endpoint = endpoints.get(state.webhookId)?.status;
    return endpoint === 'active' ? [`${id} was cancelled, and its endpoint is active`] : [];
  });
}

function deliveredMeansReceived(world: World): string[] {
  const { endpoints } = new Expected(world.store.log);
  return [...storiesOf(world)].flatMap(([id, story]) => {
    const state = stateAfter(story);
    if (state.status !== 'delivered') return [];
    const url = endpoints.get(state.webhookId)?.url;
    const isTaken = world.receivers.log.some(
      (line) =>
        line.url === url &&
        line.body === state.body &&
        line.headers['x-service-event-id'] === state.eventId &&
        line.headers['x-service-event-type'] === state.eventType &&
        Math.floor((line.status ?? 0) / 100) === 2,
    );
    return isTaken ? [] : [`${id} was received by nobody`];
  });
}

/** A secret, the end of its validity, and when that was decided, in the schedule's time. */
interface Signer {
  readonly text: string;
  readonly url: string | undefined;
  until: number;
  knownAt: number;
}

/** Milliseconds for which an endpoint is cached. */
const cachedMs = 1000;

function signersOf({ store }: World): Signer[] {
  const signers: Signer[] = [];
  const newest = new Map<WebhookId, Signer>();
  for (const event of store.log.filter(isEndpoint)) {
    if (event.type !== 'WebhookRegistered' && event.type !== 'WebhookSecretRotated') continue;
    const { webhookId, secret } = event.data;
    const before = newest.get(webhookId);
    if (before !== undefined && event.type === 'WebhookSecretRotated') {
      before.until = Date.parse(event.data.graceEndsAt);
      before.knownAt = store.storedAt.get(event.id) ?? 0;
    }
    const url = event.type === 'WebhookRegistered' ? event.data.url : before?.url;
    const [, , text] = JSON.parse(secret.sealed) as [string, string, string];
    const signer = { text, url, until: Infinity, knownAt: Infinity };
    newest.set(webhookId, signer);
    signers.push(signer);
  }
  return signers;
}

/**
 * Each signature is by a secret of an endpoint at that address, and none by one whose grace period was over when it was
 * made.
 */
function signedByLiveSecrets(world: World): string[] {
  const signers = signersOf(world);
  return world.receivers.log.flatMap((line) => {
    const [time = '', ...signatures] = (line.headers['x-service-signature'] ?? '').split(',');
    const signedAt = Number(time.replace('t=', '')) * 1000;
    const live = signers.filter(
      ({ url, until, knownAt }) => url === line.url && (signedAt < until || line.sentAt < knownAt + cachedMs),
    );
    const isForged = signatures.some(
      (signature) => !live.some(({ text }) => isBy(text, line, `${time},${signature}`, signedAt)),
    );
    const isBare = signatures.length === 0 || signatures.length > 2;
    return isForged || isBare
      ? [`${line.headers['x-service-event-id']} came with ${time},${signatures.join()}`]
      : [];
  });
}

function isBy(secret: string, { body }: Received, signature: string, signedAt: number): boolean {
  try {
    verifyWebhook({ body, signature, secret, now: new Date(signedAt) });
    return true;
  } catch {
    return false;
  }
}

function replaysAreWhole(world: World): string[] {
  const { replays } = new Expected(world.store.log);
  const stories = storiesOf(world);
  return replays.flatMap(({ replay: { replayId }, deliveries }) => {
    const last = world.store.log.findLast((event) => isReplay(event) && event.data.replayId === replayId);
    if (last?.type === 'ReplayAbandoned') return [];
    if (last?.type !== 'ReplayCompleted') return [`${replayId} is not over`];
    const made = [...stories].filter(
      ([, [first]]) => first?.type === 'DeliveryScheduled' && first.data.replayId === replayId,
    );
    const { scheduled } = last.data as { readonly scheduled: number };
    const isWhole = deliveries.every((id) => stories.has(id)) && made.length === deliveries.length;
    return isWhole && scheduled === deliveries.length
      ? []
      : [`${replayId} made ${made.length} and says ${scheduled} of ${deliveries.length}`];
  });
}

/** Checks that an endpoint has one replay at a time. */
function replaysFollowEachOther({ store }: World): string[] {
  const running = new Map<WebhookId, WebhookReplayId>();
  return store.log.filter(isReplay).flatMap(({ type, data: { webhookId, replayId } }) => {
    const before = running.get(webhookId);
    if (type === 'ReplayRequested') running.set(webhookId, replayId);
    if (type === 'ReplayRequested' && before !== undefined) return [`${replayId} began while ${before} ran`];
    if (type === 'ReplayCompleted' || type === 'ReplayAbandoned') running.delete(webhookId);
    return [];
  });
}

/** No attempt is early, unless the clock had shown its time and was moved back. */
function attemptsAreDue(world: World): string[] {
  return [...storiesOf(world)].flatMap(([deliveryId, story]) => {
    let dueAt = '';
    const early: string[] = [];
    for (const { id, type, data } of story) {
      if ('startedAt' in data && data.startedAt < dueAt) {
        const shown = world.clock.latestBy(world.store.storedAt.get(id) ?? 0).toISOString();
        if (shown < dueAt) early.push(`${deliveryId} was attempted at ${data.startedAt}, due at ${dueAt}`);
      }
      if (type === 'DeliveryScheduled' || type === 'DeliveryRequeued') ({ dueAt } = data);
      if (type === 'DeliveryAttemptFailed') dueAt = data.nextAttemptAt ?? dueAt;
    }
    return early;
  });
}

/** The failure count of each remaining endpoint equals a count by hand from the log. */
function failuresAreCounted(world: World): string[] {
  const byHand = new Map<WebhookId, number>();
  for (const { type, data } of world.store.log.filter(isDelivery)) {
    const { webhookId } = data;
    const inARow = byHand.get(webhookId) ?? 0;
    if (type === 'DeliverySucceeded' && inARow < disableAfter) byHand.set(webhookId, 0);
    if (type === 'DeliveryAttemptFailed') byHand.set(webhookId, Math.min(disableAfter, inARow + 1));
  }
  return [...new Expected(world.store.log).endpoints.values()].flatMap((endpoint) => {
    const { webhookId, status, failures } = endpoint;
    const count = byHand.get(webhookId) ?? 0;
    const right = count < disableAfter ? 'active' : 'disabled';
    const isRight = status === 'deleted' || (failures.length === count && status === right);
    return isRight ? [] : [`${webhookId} is ${status} with ${failures.length}, by hand ${count}`];
  });
}

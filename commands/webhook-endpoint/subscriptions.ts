import type { Logger } from 'pino';
import { streamOf } from '../../contracts/events/catalogue.ts';
import {
  accountWebhooksEvents,
  webhookEndpointEvents,
  type AccountWebhooksEvent,
  type WebhookEndpointEvent,
} from '../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type AccountId, type WebhookId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { Cache, CachedReads } from '../../infra/platform/cache.ts';
import { inBatches } from '../engine/in-batches.ts';
import { hasKnownType } from '../engine/recording.ts';
import { Snapshots } from '../engine/snapshots.ts';

/**
 * Subscriptions as of a position in the log; the answer for a position never changes. Reads are cached until `observe` gets an
 * event that adds to them, so a caller must pass each event of the log to `observe` as it arrives, before it asks about a later
 * position. Then a cached answer includes everything before the position: the read began after all events observed by then, and
 * every event after the read has been observed since.
 */
export interface Subscriptions {
  /** The account's endpoints that subscribed to the type and were neither disabled nor deleted right before the position. */
  to(accountId: AccountId, type: SubscribableEventType, before: Position): Promise<readonly WebhookId[]>;
  /** The endpoint's subscription at that position; empty if it was disabled or deleted. */
  of(webhookId: WebhookId, before: Position): Promise<Types>;
  observe(event: RecordedEvent): void;
  /** Invalidates the whole cache: events may have been missed. */
  forget(): void;
}

/** Events that change a subscription; counted failures and notices are frequent, and do not. */
const changing: ReadonlySet<string> = new Set<WebhookEndpointEvent['type'] | AccountWebhooksEvent['type']>([
  'WebhookAdmitted',
  'WebhookRegistered',
  'WebhookChanged',
  'WebhookDisabled',
  'WebhookDeleted',
]);

const readsAtOnce = 32;
/** Maximum cached accounts, and endpoints. */
const keptEntries = 20_000;

interface SubscriptionPorts {
  readonly store: EventStore;
  readonly logger: Logger;
}

export function createSubscriptions({ store, logger }: SubscriptionPorts): Subscriptions {
  const kept = { maxAgeMs: Infinity, maxEntries: keptEntries };
  const endpoints = new CachedReads<readonly Holder[]>(kept);
  const read = new Cache<string, ReadHolders>(kept);
  const recent = new CachedReads<SubscriptionHistory>(kept);
  const whole = new CachedReads<SubscriptionHistory>(kept);
  const snapshots = new Snapshots(store, logger);

  const of: Subscriptions['of'] = async (webhookId, before) => {
    const stream = streamOf(webhookEndpointEvents, uuidOf(webhookId));
    const history = await recent.get(stream, () => readRecent(store, snapshots, stream));
    const types = typesBefore(history, before);
    if (types !== undefined) return types;
    return typesBefore(await whole.get(stream, () => readFrom(store, stream)), before) ?? [];
  };
  return {
    of,
    to: async (accountId, type, before) => {
      const stream = streamOf(accountWebhooksEvents, uuidOf(accountId));
      const holders = await endpoints.get(stream, () => readEndpoints(store, stream, read));
      const ids = holders.filter((each) => mayHold(each, before)).map(({ webhookId }) => webhookId);
      if (ids.length === 0) return ids;
      const types = await inBatches(ids, readsAtOnce, (id) => of(id, before));
      return ids.filter((_, index) => types[index]?.includes(type));
    },
    observe: ({ type, stream }) => {
      if (!changing.has(type)) return;
      for (const states of [endpoints, recent, whole]) states.forget(stream);
    },
    forget: () => {
      for (const states of [endpoints, recent, whole]) states.clear();
    },
  };
}

/** An endpoint that holds a reservation, or held one until a position. */
interface Holder {
  readonly webhookId: WebhookId;
  readonly until: Position | undefined;
}

/** False for an endpoint that was deleted before: its reservation is released after that. */
const mayHold = ({ until }: Holder, before: Position): boolean =>
  until === undefined || !isAfter(before, until);

/** The holders in the events of an account's stream before a revision, which never change. */
interface ReadHolders {
  readonly holders: ReadonlyMap<WebhookId, Holder>;
  readonly next: bigint;
}

/**
 * All endpoints that ever held a reservation, because a deleted one may have been subscribed before. Reads only what was appended since
 * the last read: an account may have had tens of thousands, and each change of them invalidates the answer.
 */
async function readEndpoints(
  store: EventStore,
  stream: string,
  read: Cache<string, ReadHolders>,
): Promise<readonly Holder[]> {
  const before = read.get(stream) ?? { holders: new Map(), next: 0n };
  const holders = new Map<WebhookId, Holder>(before.holders);
  let { next } = before;
  for await (const event of store.readStream(stream, { from: next })) {
    next = event.revision + 1n;
    if (!hasKnownType<AccountWebhooksEvent>(accountWebhooksEvents, event)) continue;
    const { webhookId } = event.data;
    const until = event.type === 'WebhookDismissed' ? event.position : undefined;
    holders.set(webhookId, { webhookId, until });
  }
  read.set(stream, { holders, next });
  return [...holders.values()];
}

/** Reads from the last snapshot on, to skip years of counted failures; that reaches back far enough. */
async function readRecent(
  store: EventStore,
  snapshots: Snapshots,
  stream: string,
): Promise<SubscriptionHistory> {
  const snapshot = await snapshots.load(webhookEndpoint, stream);
  if (snapshot === undefined) return readFrom(store, stream);
  const { state, revision } = snapshot;
  for await (const { position } of store.readStream(stream, { from: revision, limit: 1 })) {
    return readFrom(store, stream, { from: revision + 1n, state, after: position });
  }
  return readFrom(store, stream);
}

async function readFrom(
  store: EventStore,
  stream: string,
  known?: Parameters<typeof collectHistory>[0] & { readonly from: bigint },
): Promise<SubscriptionHistory> {
  const { add, history } = collectHistory(known);
  for await (const event of store.readStream(stream, { from: known?.from ?? 'start' })) {
    if (hasKnownType<WebhookEndpointEvent>(webhookEndpointEvents, event)) add(event, event.position);
  }
  return history();
}

type Types = readonly SubscribableEventType[];

/** The subscription of an endpoint from a position up to the next change. */
interface Stretch {
  readonly after: Position;
  readonly types: Types;
}

interface SubscriptionHistory {
  /** The log position behind which the history is complete; undefined if it is complete from the start. */
  readonly after: Position | undefined;
  /** Oldest first. */
  readonly stretches: readonly Stretch[];
}

const none: Types = [];

/** The event types that the endpoint gets: none if it is disabled or deleted. */
const typesOf = (endpoint: WebhookEndpoint): Types => (endpoint.status === 'active' ? endpoint.events : none);

/** Collects the history of one endpoint from its events, from the first one on or from a known state. */
export function collectHistory(known?: { readonly state: WebhookEndpoint; readonly after: Position }) {
  let state = known?.state ?? webhookEndpoint.initialState;
  const stretches: Stretch[] = known ? [{ after: known.after, types: typesOf(known.state) }] : [];
  return {
    add(event: WebhookEndpointEvent, position: Position): void {
      const before = typesOf(state);
      state = webhookEndpoint.evolve(state, event);
      const types = typesOf(state);
      if (types !== before) stretches.push({ after: position, types });
    },
    history: (): SubscriptionHistory => ({ after: known?.after, stretches }),
  };
}

/** The subscription right before the position; undefined if the cached history begins later. */
export function typesBefore(
  { after, stretches }: SubscriptionHistory,
  position: Position,
): Types | undefined {
  if (after !== undefined && !isAfter(position, after)) return undefined;
  return stretches.findLast((stretch) => isAfter(position, stretch.after))?.types ?? none;
}

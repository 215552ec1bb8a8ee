import { isDeepStrictEqual } from 'node:util';
import type { Personal } from '../../contracts/events/catalogue.ts';
import { fieldAt, withField } from '../../contracts/events/fields.ts';
import { categories, personalTypes } from '../../contracts/events/index.ts';
import { parseId, type AccountId } from '../../contracts/ids.ts';
import { categoryOf } from '../event-store/client/decoding.ts';
import type {
  EventStore,
  EventToAppend,
  RecordedEvent,
  Subscription,
  SubscriptionMessage,
} from '../event-store/client/types.ts';
import { AccountErased, SealUnreadable, type Sealer, type Vault } from '../vault/index.ts';
import { looksSealed, openValue, sealValue, type Opening } from './text.ts';

/**
 * The event store for rules and process managers: fields declared as personal are sealed on append with their account's data key,
 * and opened on read. Once that key is destroyed, they read as their declared replacement, and are stored as that. Appends and
 * reads reject like the vault; a subscription delivers an event that the vault cannot open
 * without its data, so that no other waits for it.
 */
export const sealedStore = (store: EventStore, vault: Pick<Vault, 'open' | 'sealer'>): EventStore => ({
  ...store,
  append: (stream, expected, events) =>
    events.some((event) => personalIn(stream, event).length > 0)
      ? sealEvents(vault, stream, events).then((sealed) => store.append(stream, expected, sealed))
      : store.append(stream, expected, events),
  readStream: (stream, options) => {
    const events = store.readStream(stream, options);
    return mayHold(stream) ? openEvents(vault, events) : events;
  },
  readAll: (options) => openEvents(vault, store.readAll(options)),
  subscribe: (options) =>
    options.asStored === true ? store.subscribe(options) : openSubscription(vault, store.subscribe(options)),
});

/** A snapshot's whole state, because it may contain anything of its stream's events. */
const ofSnapshot: Personal = { state: null };
const snapshots = 'snapshot-';

/** Whether any event of the stream, or of its snapshots' stream, has declared personal fields. */
function mayHold(stream: string): boolean {
  const of = stream.startsWith(snapshots) ? stream.slice(snapshots.length) : stream;
  return Object.keys(categories[categoryOf(of)]?.personal ?? {}).length > 0;
}

/** The declared personal fields of an event of the stream. */
const declaredOf = (stream: string, type: string): Personal | undefined => {
  if (!stream.startsWith(snapshots)) return personalTypes[type];
  return mayHold(stream) ? ofSnapshot : undefined;
};

type Fields = readonly (readonly [path: string, erased: unknown])[];
const none: Fields = [];

/** The fields to be sealed. */
function personalIn(stream: string, { type, data }: Pick<EventToAppend, 'type' | 'data'>): Fields {
  const declared = declaredOf(stream, type);
  if (declared === undefined) return none;
  return Object.entries(declared).filter(([path, erased]) => {
    const value = fieldAt(data, path);
    return value !== undefined && !isDeepStrictEqual(value, erased);
  });
}

const sealEvents = (
  vault: Pick<Vault, 'sealer'>,
  stream: string,
  events: readonly EventToAppend[],
): Promise<readonly EventToAppend[]> =>
  Promise.all(
    events.map(async (event) => {
      const fields = personalIn(stream, event);
      return fields.length === 0 ? event : sealEvent(event, fields, await sealerFor(vault, ownerOf(event)));
    }),
  );

/** The account whose data key seals; for a transferred resource, the receiving account. */
function ownerOf({ type, data, metadata }: EventToAppend): AccountId {
  const said = fieldAt(data, 'accountId');
  const owner = parseId('account', typeof said === 'string' ? said : (metadata.actor.account_id ?? ''));
  if (owner === undefined) throw new Error(`${type} has personal fields and says nobody whose they are.`);
  return owner;
}

type SealOne = (value: unknown, erased: unknown) => unknown;

async function sealerFor(vault: Pick<Vault, 'sealer'>, owner: AccountId): Promise<SealOne> {
  try {
    const seal: Sealer = await vault.sealer(owner);
    return (value) => sealValue(seal, owner, value);
  } catch (error) {
    if (error instanceof AccountErased) return (_value, erased) => erased;
    throw error;
  }
}

const sealEvent = (event: EventToAppend, fields: Fields, seal: SealOne): EventToAppend => ({
  ...event,
  data: fields.reduce(
    (data, [path, erased]) => withField(data, path, seal(fieldAt(data, path), erased)),
    event.data,
  ),
  metadata: { ...event.metadata, sealed: fields.map(([path]) => path) },
});

async function openEvent(vault: Opening, event: RecordedEvent): Promise<RecordedEvent> {
  const { sealed } = event.metadata;
  if (sealed === undefined) return event;
  const declared = declaredOf(event.stream, event.type) ?? {};
  const values = await Promise.all(
    sealed.map(async (path) => {
      const value = fieldAt(event.data, path);
      return looksSealed(value) ? ((await openValue(vault, value)) ?? declared[path] ?? null) : value;
    }),
  );
  const data = sealed.reduce((opened, path, index) => withField(opened, path, values[index]), event.data);
  return { ...event, data };
}

/** Maximum events opened concurrently, with batched look-ups of their keys. */
const openedAtOnce = 128;

/** Number of events that a read prefetches; one with a limit prefetches no more than that. */
async function* openEvents(
  vault: Opening,
  events: AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent> {
  let batch: RecordedEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < openedAtOnce) continue;
    yield* await openBatch(vault, batch);
    batch = [];
  }
  yield* await openBatch(vault, batch);
}

const openBatch = async (
  vault: Opening,
  events: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> =>
  events.some(({ metadata }) => metadata.sealed !== undefined)
    ? Promise.all(events.map((event) => openEvent(vault, event)))
    : events;

const openSubscription = (vault: Opening, subscription: Subscription): Subscription => ({
  close: () => subscription.close(),
  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionMessage> {
    for await (const message of subscription)
      yield message.kind === 'event' && message.event.metadata.sealed !== undefined
        ? { kind: 'event', event: await openIfReadable(vault, message.event) }
        : message;
  },
});

/** Without data if the vault cannot open it, like an event whose bytes are not JSON. An outage of the vault rejects. */
const openIfReadable = (vault: Opening, event: RecordedEvent): Promise<RecordedEvent> =>
  openEvent(vault, event).catch((error: unknown) => {
    if (error instanceof SealUnreadable) return { ...event, data: undefined };
    throw error;
  });

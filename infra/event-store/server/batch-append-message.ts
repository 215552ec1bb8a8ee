import { readFields, readNested, type Fields } from '../protobuf/fields.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { readUuid } from '../protobuf/uuid.ts';
import type { ExpectedRevision } from './expected-revision.ts';

/** `UUID`s are echoed unchanged. */
export type Uuid = Buffer;

export interface AppendOptions {
  readonly stream: string;
  /** Undefined if the request has none. */
  readonly expected: ExpectedRevision | undefined;
  /** A time of the caller's clock, in Unix milliseconds. */
  readonly deadline: number | undefined;
}

/** An event as sent, not validated yet. */
export interface SentEvent {
  readonly id: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** One message of an append: the first has options, the last is final. */
export interface BatchAppendMessage {
  readonly correlationId: Uuid | undefined;
  readonly options: AppendOptions | undefined;
  readonly events: readonly SentEvent[];
  readonly isFinal: boolean;
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

const identifierFields: Fields<Draft<AppendOptions>> = {
  3: (reader, options) => (options.stream = reader.text()),
};

const timestampFields: Fields<Draft<AppendOptions>> = {
  1: (reader, options) => (options.deadline = (options.deadline ?? 0) + Number(reader.uint64()) * 1000),
  2: (reader, options) => (options.deadline = (options.deadline ?? 0) + Number(reader.uint64()) / 1e6),
};

const word =
  (expected: ExpectedRevision) =>
  (reader: ProtobufReader, options: Draft<AppendOptions>): void => {
    reader.skip();
    options.expected = expected;
  };

const optionsFields: Fields<Draft<AppendOptions>> = {
  1: (reader, options) => readNested(reader, identifierFields, options),
  2: (reader, options) => (options.expected = Number(reader.uint64())),
  3: word('no_stream'),
  4: word('any'),
  5: word('stream_exists'),
  6: (reader, options) => readNested(reader, timestampFields, options),
};

interface Property {
  key: string;
  value: string;
}

const propertyFields: Fields<Property> = {
  1: (reader, property) => (property.key = reader.text()),
  2: (reader, property) => (property.value = reader.text()),
};

interface EventDraft extends Draft<SentEvent> {
  readonly properties: Map<string, string>;
}

const eventFields: Fields<EventDraft> = {
  1: (reader, event) => (event.id = readUuid(reader)),
  2: (reader, event) => {
    const { key, value } = readNested<Property>(reader, propertyFields, { key: '', value: '' });
    event.properties.set(key, value);
  },
  3: (reader, event) => (event.metadata = reader.bytes()),
  4: (reader, event) => (event.data = reader.bytes()),
};

interface MessageDraft extends Draft<BatchAppendMessage> {
  readonly events: SentEvent[];
}

const nothing = new Uint8Array();

const messageFields: Fields<MessageDraft> = {
  1: (reader, message) => (message.correlationId = reader.bytes()),
  2: (reader, message) => {
    const options = { stream: '', expected: undefined, deadline: undefined };
    message.options = readNested<Draft<AppendOptions>>(reader, optionsFields, options);
  },
  3: (reader, message) => {
    const event = { id: '', properties: new Map<string, string>(), data: nothing, metadata: nothing };
    message.events.push(readNested<EventDraft>(reader, eventFields, event));
  },
  4: (reader, message) => (message.isFinal = reader.uint64() !== 0n),
};

/**
 * Decodes `event_store.client.streams.BatchAppendReq`; the result shares memory with these bytes.
 *
 * @throws MalformedMessage
 */
export const decodeBatchAppend = (bytes: Buffer): BatchAppendMessage =>
  readFields<MessageDraft>(new ProtobufReader(bytes), messageFields, {
    correlationId: undefined,
    options: undefined,
    events: [],
    isFinal: false,
  });

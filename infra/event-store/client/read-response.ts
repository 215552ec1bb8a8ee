import { readFields, readNested, type Fields } from '../protobuf/fields.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { readUuid } from '../protobuf/uuid.ts';
import type { Position } from './types.ts';

/** An event in wire format. */
export interface WireRecord {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: bigint;
  readonly position: Position;
  /** In .NET ticks of 100 ns since 1970. */
  readonly createdTicks: number;
  /** JSON, unless written by another tool. */
  readonly data: string;
  readonly metadata: string;
}

/** Messages of a read or a subscription. `other`: greetings, and links to deleted events. */
export type ReadMessage =
  | { readonly kind: 'event'; readonly record: WireRecord }
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'other' };

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type RecordDraft = Draft<Omit<WireRecord, 'position'>> & { readonly position: Draft<Position> };

/** `AllStreamPosition` and `Checkpoint`. */
export const positionFields: Fields<Draft<Position>> = {
  1: (reader, position) => (position.commit = reader.uint64()),
  2: (reader, position) => (position.prepare = reader.uint64()),
};

const streamIdentifierFields: Fields<RecordDraft> = {
  3: (reader, record) => (record.stream = reader.text()),
};

interface Property {
  /** Index in `propertyNames`; undefined before it is read. */
  name: number | undefined;
  value: string;
}

/** An entry of a `map<string, string>`. Values of unused properties are skipped. */
const propertyFields: Fields<Property> = {
  1: (reader, property) => (property.name = reader.textAmong(propertyNames)),
  2: (reader, property) => {
    if (property.name === -1) reader.skip();
    else property.value = reader.text();
  },
};

const propertyNames = [Buffer.from('type'), Buffer.from('created')];

function readProperty(reader: ProtobufReader, record: RecordDraft): void {
  const { name, value } = readNested<Property>(reader, propertyFields, { name: undefined, value: '' });
  if (name === 0) record.type = value;
  else if (name === 1) record.createdTicks = Number(value);
}

const recordFields: Fields<RecordDraft> = {
  1: (reader, record) => (record.id = readUuid(reader)),
  2: (reader, record) => readNested(reader, streamIdentifierFields, record),
  3: (reader, record) => (record.revision = reader.uint64()),
  4: (reader, record) => (record.position.prepare = reader.uint64()),
  5: (reader, record) => (record.position.commit = reader.uint64()),
  6: readProperty,
  7: (reader, record) => (record.metadata = reader.text()),
  8: (reader, record) => (record.data = reader.text()),
};

const readRecord = (reader: ProtobufReader): WireRecord =>
  readNested<RecordDraft>(reader, recordFields, {
    id: '',
    stream: '',
    type: '',
    revision: 0n,
    position: { commit: 0n, prepare: 0n },
    createdTicks: 0,
    data: '',
    metadata: '',
  });

interface Draw {
  message: ReadMessage;
}

/** `ReadEvent`: the event, or the target of a resolved link. */
const readEventFields: Fields<Draw> = {
  1: (reader, draw) => (draw.message = { kind: 'event', record: readRecord(reader) }),
};

const readResponseFields: Fields<Draw> = {
  1: (reader, draw) => readNested(reader, readEventFields, draw),
  3: (reader, draw) => {
    const position = readNested(reader, positionFields, { commit: 0n, prepare: 0n });
    draw.message = { kind: 'checkpoint', position };
  },
  8: (reader, draw) => {
    reader.skip();
    draw.message = { kind: 'caught_up' };
  },
};

/**
 * Decodes `event_store.client.streams.ReadResp`. The generated messages take four times as long, and with the conversion of their
 * values that was more than everything else that reading an event costs.
 *
 * @throws MalformedMessage
 */
export const decodeReadResponse = (bytes: Buffer): ReadMessage =>
  readFields<Draw>(new ProtobufReader(bytes), readResponseFields, { message: { kind: 'other' } }).message;

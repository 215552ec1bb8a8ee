import { readFields, readNested, type Fields } from '../protobuf/fields.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { status, type Status } from '../protobuf/vendor.ts';
import { fieldSize, ProtobufWriter, varintSize } from '../protobuf/writer.ts';
import type { EncodedEvent } from './encoding.ts';
import { positionFields } from './read-response.ts';
import type { ExpectedRevision, Position } from './types.ts';

/*
 * `event_store.client.streams.BatchAppendReq` and `BatchAppendResp`, written and read here: the generated messages took more
 * time than all else that an append costs on this side.
 */

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/** `UUID` of an event: its text. */
const idSize = fieldSize(36);

const typeKey = Buffer.from('type');
const contentType = property(Buffer.from('content-type'), Buffer.from('application/json'));
const empty = Buffer.alloc(0);

/** An entry of a `map<string, string>`. */
function property(key: Buffer, value: Buffer): Buffer {
  const size = fieldSize(key.length) + fieldSize(value.length);
  return new ProtobufWriter(size).bytesField(1, key).bytesField(2, value).bytes;
}

/** The bytes of one append, known by its number. The server is told to store it whole: it comes in one message. */
export function encodeAppend({ stream, expected, events }: AppendRequest, number: number): Buffer {
  // No deadline goes along: it would be a wall-clock time, and the two clocks may differ. We keep our own.
  const name = Buffer.from(stream);
  const expectedSize = typeof expected === 'bigint' ? 1 + varintSize(expected) : fieldSize(0);
  const optionsSize = fieldSize(fieldSize(name.length)) + expectedSize;
  const numberSize = 1 + varintSize(number);
  const proposals = events.map(sized);
  const writer = new ProtobufWriter(
    fieldSize(fieldSize(numberSize)) +
      fieldSize(optionsSize) +
      proposals.reduce((sum, { size }) => sum + fieldSize(size), 0) +
      2,
  );
  writer.messageField(1, fieldSize(numberSize)).messageField(1, numberSize).varintField(2, number);
  writer.messageField(2, optionsSize).messageField(1, fieldSize(name.length)).bytesField(3, name);
  if (expected === 'any') writer.bytesField(4, empty);
  else if (expected === 'no_stream') writer.bytesField(3, empty);
  else writer.varintField(2, expected);
  for (const proposal of proposals) writeProposal(writer, proposal);
  return writer.varintField(4, 1).bytes;
}

interface Proposal {
  readonly event: EncodedEvent;
  readonly type: Buffer;
  /** Of the whole message without its tag and length, bytes. */
  readonly size: number;
}

function sized(event: EncodedEvent): Proposal {
  const type = property(typeKey, Buffer.from(event.type));
  const properties = fieldSize(type.length) + fieldSize(contentType.length);
  const content = fieldSize(event.metadata.length) + fieldSize(event.data.length);
  return { event, type, size: fieldSize(idSize) + properties + content };
}

const writeProposal = (writer: ProtobufWriter, { event, type, size }: Proposal): ProtobufWriter =>
  writer
    .messageField(3, size)
    .messageField(1, idSize)
    .bytesField(2, Buffer.from(event.id, 'latin1'))
    .bytesField(2, type)
    .bytesField(2, contentType)
    .bytesField(3, event.metadata)
    .bytesField(4, event.data);

/** The server's answer to one append. */
export interface AppendAnswer {
  /** Which one; servers answer with either form of the uuid, whichever they were asked with. */
  readonly number: number;
  readonly refusal: Status | undefined;
  readonly revision: bigint;
  /** Some servers leave it out when they recognise an append they already have. */
  readonly position: Position | undefined;
}

type Draft = { -readonly [Key in keyof AppendAnswer]: AppendAnswer[Key] };

const successFields: Fields<Draft> = {
  1: (reader, draft) => (draft.revision = reader.uint64()),
  3: (reader, draft) => (draft.position = readNested(reader, positionFields, { commit: 0n, prepare: 0n })),
};

const structuredFields: Fields<Draft> = {
  2: (reader, draft) => (draft.number = Number(reader.uint64())),
};

const numberFields: Fields<Draft> = {
  1: (reader, draft) => readNested(reader, structuredFields, draft),
  2: (reader, draft) => (draft.number = Number(BigInt(`0x${reader.text().replaceAll('-', '').slice(-16)}`))),
};

const answerFields: Fields<Draft> = {
  1: (reader, draft) => readNested(reader, numberFields, draft),
  2: (reader, draft) => (draft.refusal = status.Status.deserializeBinary(reader.bytes())),
  3: (reader, draft) => readNested(reader, successFields, draft),
};

/** @throws MalformedMessage */
export const decodeAnswer = (bytes: Buffer): AppendAnswer =>
  readFields<Draft>(new ProtobufReader(bytes), answerFields, {
    number: 0,
    refusal: undefined,
    revision: 0n,
    position: undefined,
  });

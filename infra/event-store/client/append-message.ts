import { status as grpcStatus } from '@grpc/grpc-js';
import { readFields, readNested, type Fields } from '../protobuf/fields.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { shared, status, type Status } from '../protobuf/vendor.ts';
import { encoded, type ProtobufWriter } from '../protobuf/writer.ts';
import type { EncodedEvent } from './encoding.ts';
import { StreamTombstoned } from './failures.ts';
import { positionFields } from './read-response.ts';
import { WrongExpectedRevision, type ExpectedRevision, type Position } from './types.ts';

/*
 * `event_store.client.streams.BatchAppendReq` and `BatchAppendResp`, encoded and decoded here: the generated messages took longer
 * than everything else that an append costs the client.
 */

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/** The bytes of an append, identified by its number. It is sent in one message, marked as final. */
export const encodeAppend = ({ stream, expected, events }: AppendRequest, number: number): Buffer =>
  encoded((append) => {
    append.varint(4, 1);
    for (const event of events.toReversed()) append.message(3, (proposed) => writeEvent(proposed, event));
    // Without a deadline: it would be a wall-clock time, and the clocks may differ. The client has its own timeout.
    append.message(2, (options) => {
      if (expected === 'any') options.empty(4);
      else if (expected === 'no_stream') options.empty(3);
      else options.varint(2, expected);
      options.message(1, (identifier) => identifier.text(3, stream));
    });
    append.message(1, (uuid) => uuid.message(1, (halves) => halves.varint(2, number)));
  });

const writeEvent = (proposed: ProtobufWriter, { id, type, data, metadata }: EncodedEvent) =>
  proposed
    .bytes(4, data)
    .bytes(3, metadata)
    .message(2, (property) => property.text(2, 'application/json').text(1, 'content-type'))
    .message(2, (property) => property.text(2, type).text(1, 'type'))
    .message(1, (uuid) => uuid.text(2, id));

/** The server's answer to one append. */
export interface AppendAnswer {
  /** Its id; servers answer with either form of the uuid. */
  readonly number: number;
  readonly refusal: Status | undefined;
  readonly revision: bigint;
  /** Some servers leave it out for an append that they already have. */
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

export type AppendOutcome = Pick<AppendAnswer, 'revision' | 'position'>;

/** The server does not know whether it wrote, or refused for an unexpected reason. */
export class AppendFailed extends Error {
  override readonly name = 'AppendFailed';
  /** A gRPC status, so that it is handled like other transport failures. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Other refusals by the type of their details: the equivalent status, and the beginning of the message. */
const failures: Readonly<Record<string, readonly [code: number, what: string]>> = {
  Timeout: [grpcStatus.DEADLINE_EXCEEDED, 'the event store timed out'],
  AccessDenied: [grpcStatus.PERMISSION_DENIED, 'the event store denied access'],
  MaximumAppendSizeExceeded: [grpcStatus.INVALID_ARGUMENT, 'the append is too large'],
};

/** The reason for a refusal is a message packed in the status's details, identified by its type. */
export function refusalError(refusal: Status, stream: string): Error {
  const details = refusal.getDetails();
  const type = details?.getTypeName() ?? '';
  const name = type.replace('event_store.client.', '');
  if (name === 'StreamDeleted') return new StreamTombstoned(stream);
  if (name === 'WrongExpectedVersion') {
    const wrong = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, type);
    const actual = wrong?.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : null;
    return new WrongExpectedRevision(stream, actual);
  }
  const [code, what] = failures[name] ?? [grpcStatus.UNKNOWN, 'the event store refused'];
  return new AppendFailed(code, `${what}: ${refusal.getMessage()}`);
}

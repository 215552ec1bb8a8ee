import { fieldSize, ProtobufWriter, varintSize } from '../protobuf/writer.ts';
import { WireReader } from './wire.ts';

export const JSON_CONTENT = 'application/json';
export const BINARY_CONTENT = 'application/octet-stream';
/** The revision of a tombstone: the largest signed 64-bit integer. */
export const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;
/** An event whose data `revision@stream` points at another event. */
export const LINK_TYPE = '$>';
export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';

const TICKS_PER_MILLISECOND = 10_000n;

/** An event as its writer proposes it. */
export interface ProposedEvent {
  /** A UUID in its 36-character form. */
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Where an event was put. */
export interface Placement {
  readonly stream: string;
  readonly revision: number | bigint;
  /** Its place in the log, which is both its commit and its prepare position. */
  readonly position: number;
  /** Unix milliseconds. */
  readonly created: number;
}

const ID_FIELD = 40;

/** Content of a `StreamIdentifier`, a map entry or a `UUID`: each holds the given values as its fields. */
const metadataEntry = (key: string, value: Buffer): number => fieldSize(key.length) + fieldSize(value.length);

function writeEntry(writer: ProtobufWriter, key: string, value: Buffer): void {
  writer.messageField(6, metadataEntry(key, value)).bytesField(1, Buffer.from(key)).bytesField(2, value);
}

/**
 * The bytes that are stored, and sent, for an event: a whole `ReadResp { event { event: RecordedEvent, commit_position } }`
 * with the fields of `RecordedEvent` in the order of their numbers, so that `StoredRecord` finds them without parsing.
 */
export function encodeRecord(
  event: ProposedEvent,
  { stream, revision, position, created }: Placement,
): Buffer {
  const name = Buffer.from(stream);
  const entries: [string, Buffer][] = [
    ['type', Buffer.from(event.type)],
    ['created', Buffer.from((BigInt(created) * TICKS_PER_MILLISECOND).toString())],
    ['content-type', Buffer.from(event.contentType)],
  ];
  const positionField = 1 + varintSize(position);
  const recordedSize =
    ID_FIELD +
    fieldSize(fieldSize(name.length)) +
    (1 + varintSize(revision)) +
    2 * positionField +
    entries.reduce((sum, [key, value]) => sum + fieldSize(metadataEntry(key, value)), 0) +
    fieldSize(event.metadata.length) +
    fieldSize(event.data.length);
  const readEventSize = fieldSize(recordedSize) + positionField;
  const writer = new ProtobufWriter(fieldSize(readEventSize));
  writer.messageField(1, readEventSize).messageField(1, recordedSize);
  writer.messageField(1, ID_FIELD - 2).bytesField(2, Buffer.from(event.id, 'latin1'));
  writer.messageField(2, fieldSize(name.length)).bytesField(3, name);
  writer.varintField(3, revision).varintField(4, position).varintField(5, position);
  for (const [key, value] of entries) writeEntry(writer, key, value);
  writer.bytesField(7, event.metadata).bytesField(8, event.data);
  writer.varintField(3, position);
  return writer.bytes;
}

/** Finds its way through bytes written by `encodeRecord`. */
export class StoredRecord {
  readonly bytes: Buffer;
  readonly #recordedAt: number;
  readonly #recordedEnd: number;

  constructor(bytes: Buffer) {
    const reader = new WireReader(bytes);
    reader.enter();
    this.#recordedEnd = reader.enter();
    this.#recordedAt = reader.at;
    this.bytes = bytes;
  }

  get id(): string {
    return this.bytes.toString('latin1', this.#recordedAt + 4, this.#recordedAt + ID_FIELD);
  }

  get stream(): string {
    const reader = new WireReader(this.bytes, this.#recordedAt + ID_FIELD);
    reader.enter();
    return reader.field().toString();
  }

  get revision(): number {
    const reader = this.#afterStream();
    reader.at++;
    return reader.varint();
  }

  get position(): number {
    return new WireReader(this.bytes, this.#recordedEnd + 1).varint();
  }

  get type(): string {
    return this.#entry(this.#afterPositions()).toString();
  }

  /** Unix milliseconds. */
  get created(): number {
    const reader = this.#afterPositions();
    reader.field();
    return Number(BigInt(this.#entry(reader).toString()) / TICKS_PER_MILLISECOND);
  }

  get data(): Buffer {
    const reader = this.#afterPositions();
    for (let skipped = 0; skipped < 4; skipped++) reader.field();
    return reader.field();
  }

  /** The bytes of the `RecordedEvent` alone. */
  get recorded(): Buffer {
    return this.bytes.subarray(this.#recordedAt, this.#recordedEnd);
  }

  /** The bytes of the `RecordedEvent` without its metadata and data, which come last. */
  get recordedHead(): Buffer {
    const reader = this.#afterPositions();
    for (let skipped = 0; skipped < 3; skipped++) reader.field();
    return this.bytes.subarray(this.#recordedAt, reader.at);
  }

  #entry(reader: WireReader): Buffer {
    reader.enter();
    reader.field();
    return reader.field();
  }

  #afterStream(): WireReader {
    const reader = new WireReader(this.bytes, this.#recordedAt + ID_FIELD);
    reader.field();
    return reader;
  }

  #afterPositions(): WireReader {
    const reader = this.#afterStream();
    for (let skipped = 0; skipped < 3; skipped++) {
      reader.at++;
      reader.varint();
    }
    return reader;
  }
}

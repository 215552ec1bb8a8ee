import { encoded, type ProtobufWriter } from '../protobuf/writer.ts';

export const JSON_CONTENT = 'application/json';
export const BINARY_CONTENT = 'application/octet-stream';
/** The revision of a tombstone: the largest signed 64-bit integer. */
export const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;
/** An event whose data `revision@stream` points at another event. */
export const LINK_TYPE = '$>';
export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';

const TICKS_PER_MILLISECOND = 10_000n;

/** An event as sent by its writer. */
export interface ProposedEvent {
  /** A UUID in its 36-character form. */
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** The assigned place of an event. */
export interface Placement {
  readonly stream: string;
  readonly revision: number | bigint;
  /** Both its commit and its prepare position. */
  readonly position: number;
  /** Unix milliseconds. */
  readonly created: number;
}

/** Bytes of the field that holds an event's id as text. */
const ID_FIELD = 40;

/**
 * The stored and sent bytes of an event: a complete `ReadResp { event { event: RecordedEvent, commit_position } }` with the
 * fields of `RecordedEvent` in ascending order, so that `StoredRecord` finds them without parsing.
 */
export const encodeRecord = (
  { id, type, contentType, data, metadata }: ProposedEvent,
  { stream, revision, position, created }: Placement,
): Buffer =>
  encoded((response) =>
    response.message(1, (readEvent) =>
      readEvent.varint(3, position).message(1, (recorded) => {
        recorded.bytes(8, data).bytes(7, metadata);
        writeProperty(recorded, 'content-type', contentType);
        writeProperty(recorded, 'created', (BigInt(created) * TICKS_PER_MILLISECOND).toString());
        writeProperty(recorded, 'type', type);
        recorded.varint(5, position).varint(4, position).varint(3, revision);
        recorded.message(2, (identifier) => identifier.text(3, stream));
        recorded.message(1, (uuid) => uuid.text(2, id));
      }),
    ),
  );

const writeProperty = (recorded: ProtobufWriter, key: string, value: string): unknown =>
  recorded.message(6, (entry) => entry.text(2, value).text(1, key));

/** Reads fields of bytes written by `encodeRecord`. */
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

/** Reads the fields of a stored record, in the order they were written. */
class WireReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A varint as a number: exact below 2^53, which covers every position, and every revision but a tombstone's. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Skips a tag and a length, into the nested message. Returns where it ends. */
  enter(): number {
    this.at++;
    const length = this.varint();
    return this.at + length;
  }

  /** The bytes of a length-delimited field; shares memory with the buffer. */
  field(): Buffer {
    const end = this.enter();
    const value = this.bytes.subarray(this.at, end);
    this.at = end;
    return value;
  }
}

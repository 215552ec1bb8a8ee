/** Initial size of the buffer, restored after a larger message. */
const USUAL_BYTES = 256 * 1024;

/**
 * Writes a protobuf message from its last field to its first, so that the length of a nested message, which precedes it, is known
 * when it is written. Field numbers are below 16, so a tag is one byte.
 */
class ProtobufWriter {
  /** Filled from its end. */
  #buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);
  #written = 0;

  /** A value of wire type 0: unsigned, or a boolean as 1. */
  varint(field: number, value: number | bigint): this {
    this.#varint(value);
    return this.#tag(field, 0);
  }

  bytes(field: number, value: Uint8Array): this {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
    this.#varint(value.length);
    return this.#tag(field, 2);
  }

  text(field: number, value: string): this {
    const length = Buffer.byteLength(value);
    const at = this.#reserve(length);
    this.#buffer.write(value, at);
    this.#varint(length);
    return this.#tag(field, 2);
  }

  /** A nested message, its own fields written by `write`, last to first. */
  message(field: number, write: (writer: this) => unknown): this {
    const before = this.#written;
    write(this);
    this.#varint(this.#written - before);
    return this.#tag(field, 2);
  }

  /** A nested message without fields. */
  empty(field: number): this {
    this.#varint(0);
    return this.#tag(field, 2);
  }

  /** The message written by `write`. */
  encode(write: (writer: this) => unknown): Buffer {
    this.#written = 0;
    write(this);
    const message = Buffer.from(this.#buffer.subarray(this.#buffer.length - this.#written));
    if (this.#buffer.length > USUAL_BYTES) this.#buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);
    return message;
  }

  #tag(field: number, wireType: 0 | 2): this {
    const at = this.#reserve(1);
    this.#buffer[at] = (field << 3) | wireType;
    return this;
  }

  #varint(value: number | bigint): void {
    if (typeof value === 'bigint' || value > 0x7fffffff) return this.#long(BigInt(value));
    let at = this.#reserve(varintSize(value));
    let rest = value;
    for (; rest >= 128; rest >>>= 7) this.#buffer[at++] = (rest & 127) | 128;
    this.#buffer[at] = rest;
  }

  #long(value: bigint): void {
    let at = this.#reserve(varintSize(value));
    let rest = value;
    for (; rest >= 128n; rest >>= 7n) this.#buffer[at++] = Number(rest & 127n) | 128;
    this.#buffer[at] = Number(rest);
  }

  /** Reserves space before the written bytes, in a larger buffer if necessary. Returns where it starts. */
  #reserve(bytes: number): number {
    this.#written += bytes;
    if (this.#written > this.#buffer.length) this.#grow(this.#written - bytes);
    return this.#buffer.length - this.#written;
  }

  #grow(kept: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#written);
    this.#buffer.copy(larger, larger.length - kept, this.#buffer.length - kept);
    this.#buffer = larger;
  }
}

function varintSize(value: number | bigint): number {
  let size = 1;
  if (typeof value === 'bigint') for (let rest = value; rest >= 128n; rest >>= 7n) size += 1;
  else for (let rest = value; rest >= 128; rest >>>= 7) size += 1;
  return size;
}

export type { ProtobufWriter };

const writer = new ProtobufWriter();

/** The message written by `write`, fields from last to first. Not reentrant. */
export const encoded = (write: (fields: ProtobufWriter) => unknown): Buffer => writer.encode(write);

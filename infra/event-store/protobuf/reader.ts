/** Bytes that are not a protobuf message, or not the expected one. */
export class MalformedMessage extends Error {
  constructor(reason: string) {
    super(`malformed protobuf message: ${reason}`);
    this.name = 'MalformedMessage';
  }
}

/** How a field's value is written (protobuf's encoding page): the low three bits of its tag. */
const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/**
 * Reads a protobuf message field by field: `next` returns the number of the next field, 0 at the end, and then its value is read
 * or skipped. A nested message is read with the same reader, between `enter` and `leave`.
 */
export class ProtobufReader {
  readonly #bytes: Buffer;
  #at = 0;
  #end: number;
  #wireType = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.#varint();
    this.#wireType = tag & 7;
    return Math.floor(tag / 8);
  }

  skip(): void {
    switch (this.#wireType) {
      case wireTypes.varint:
        this.uint64();
        return;
      case wireTypes.fixed64:
        return this.#advance(8);
      case wireTypes.delimited:
        return this.#advance(this.#varint());
      case wireTypes.fixed32:
        return this.#advance(4);
      default:
        throw new MalformedMessage(`wire type ${this.#wireType}`);
    }
  }

  /** An unsigned 64-bit integer; a negative signed one is returned as its two's complement. */
  uint64(): bigint {
    this.#expect(wireTypes.varint);
    // Seven bytes have 49 bits, which a number holds exactly, and few values are longer.
    let value = 0;
    let scale = 1;
    for (let read = 0; read < 7; read += 1) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return BigInt(value);
      scale *= 128;
    }
    return BigInt.asUintN(64, BigInt(value) + this.#high());
  }

  /** Shares memory with the message. */
  bytes(): Buffer {
    const start = this.#delimited();
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    const start = this.#delimited();
    return this.#bytes.toString('utf8', start, this.#at);
  }

  /** Index of the field's text among the given ones, -1 for none: a fraction of the cost of creating a string. */
  textAmong(known: readonly Buffer[]): number {
    const start = this.#delimited();
    return known.findIndex((text) => this.#holds(text, start));
  }

  /** Enters a nested message, at whose end `next` then returns 0. Returns the argument of `leave`. */
  enter(): number {
    const start = this.#delimited();
    const outer = this.#end;
    this.#end = this.#at;
    this.#at = start;
    return outer;
  }

  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
  }

  /** Skips a length-delimited value. Returns where it starts. */
  #delimited(): number {
    this.#expect(wireTypes.delimited);
    const length = this.#varint();
    const start = this.#at;
    this.#advance(length);
    return start;
  }

  /** Whether the bytes from `start` to the reader's position equal these. */
  #holds(text: Buffer, start: number): boolean {
    if (this.#at - start !== text.length) return false;
    for (let index = 0; index < text.length; index += 1) {
      if (this.#bytes[start + index] !== text[index]) return false;
    }
    return true;
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType)
      throw new MalformedMessage(`wire type ${this.#wireType}, not ${wireType}`);
  }

  #advance(length: number): void {
    if (length > this.#end - this.#at) throw new MalformedMessage('it ends within a field');
    this.#at += length;
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (byte === undefined) throw new MalformedMessage('it ends within a field');
    this.#at += 1;
    return byte;
  }

  /** A tag or a length: 32 bits. */
  #varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 128 ** 4; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new MalformedMessage('a tag or length of more than five bytes');
  }

  /** The bits of a varint above its first 49: at most three bytes. */
  #high(): bigint {
    let value = 0n;
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value += BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new MalformedMessage('an integer of more than ten bytes');
  }
}

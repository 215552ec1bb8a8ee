/** Field numbers below 16 need one byte of tag; `wireType` 0 is a varint, 2 a length and that many bytes. */
export const tag = (field: number, wireType: 0 | 2): number => (field << 3) | wireType;

/** Bytes a non-negative integer takes as a varint. */
export function varintSize(value: number | bigint): number {
  let size = 1;
  if (typeof value === 'bigint') {
    for (let rest = value; rest >= 128n; rest >>= 7n) size++;
  } else {
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  }
  return size;
}

/** Bytes a length-delimited field takes with its tag. */
export const fieldSize = (length: number): number => 1 + varintSize(length) + length;

/** Writes a message's fields one after another into a buffer whose size was worked out before. */
export class ProtobufWriter {
  readonly bytes: Buffer;
  #at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  varint(value: number | bigint): this {
    if (typeof value === 'bigint' || value > 0x7fffffff) return this.#long(BigInt(value));
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.#at++] = rest;
    return this;
  }

  varintField(field: number, value: number | bigint): this {
    this.bytes[this.#at++] = tag(field, 0);
    return this.varint(value);
  }

  /** The tag and length of a nested message; its fields are written next. */
  messageField(field: number, length: number): this {
    this.bytes[this.#at++] = tag(field, 2);
    return this.varint(length);
  }

  bytesField(field: number, value: Uint8Array): this {
    this.messageField(field, value.length).bytes.set(value, this.#at);
    this.#at += value.length;
    return this;
  }

  #long(value: bigint): this {
    let rest = value;
    while (rest >= 128n) {
      this.bytes[this.#at++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.bytes[this.#at++] = Number(rest);
    return this;
  }
}

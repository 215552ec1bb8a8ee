/** Reads the fields of a stored record, in the order they were written. */
export class WireReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A varint as a number: exact below 2^53, which every position and every revision but a tombstone's is. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Steps over a tag and a length, into the nested message. Returns where it ends. */
  enter(): number {
    this.at++;
    const length = this.varint();
    return this.at + length;
  }

  /** The bytes of a length-delimited field, shared with the buffer. */
  field(): Buffer {
    const end = this.enter();
    const value = this.bytes.subarray(this.at, end);
    this.at = end;
    return value;
  }
}

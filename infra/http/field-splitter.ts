const [quote, backslash, slash, colon] = [0x22, 0x5c, 0x2f, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Longer keys are skipped: the field's name is shorter even with escapes. */
const longestKey = 256;

/**
 * Extracts the value of one string field from the text of a JSON object while it is received. The rest is JSON, small enough to
 * be parsed at once, with `x` in the place of a non-empty value. Considers only fields of the object itself, not of nested ones.
 * Invalid JSON stays invalid.
 */
export class FieldSplitter {
  readonly #name: string;
  readonly #rest: Buffer[] = [];
  #inField = false;
  #isEmpty = true;
  #inString = false;
  #isEscaped = false;
  /** The colon was read: the value follows. */
  #isDue = false;
  #depth = 0;
  /** The last string at the top level. */
  #text: number[] = [];
  /** Bytes of the rest. */
  restBytes = 0;
  /** Number of occurrences of the field. */
  count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * The bytes of the value in this chunk. An escape other than that of a slash becomes a backslash. In one piece: a value may consist of
   * escapes, and a piece costs far more than its bytes.
   */
  push(chunk: Buffer): readonly Buffer[] {
    const value: Buffer[] = [];
    for (let at = 0; at < chunk.length;)
      at = this.#inField ? this.#takeValue(chunk, at, value) : this.#takeText(chunk, at);
    return value.length < 2 ? value : [Buffer.concat(value)];
  }

  rest(): Buffer {
    return Buffer.concat(this.#rest);
  }

  /** Where it stopped: at the end, or where the value begins. */
  #takeText(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (!this.#isValueBegun(chunk.readUInt8(at))) continue;
      this.#keep(chunk.subarray(from, at + 1));
      this.#inField = this.#isEmpty = true;
      this.#isDue = false;
      this.count += 1;
      return at + 1;
    }
    this.#keep(chunk.subarray(from));
    return chunk.length;
  }

  #isValueBegun(byte: number): boolean {
    if (this.#inString) this.#stringGoesOn(byte);
    else if (byte === quote) {
      if (this.#isDue) return true;
      this.#inString = true;
      this.#text = [];
    } else if (byte === colon) this.#isDue = this.#depth === 1 && this.#isKey();
    else if (!blanks.has(byte)) {
      this.#isDue = false;
      if (byte === openBrace || byte === openBracket) this.#depth += 1;
      if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
    }
    return false;
  }

  #stringGoesOn(byte: number): void {
    if (byte === quote && !this.#isEscaped) {
      this.#inString = false;
      return;
    }
    this.#isEscaped = byte === backslash && !this.#isEscaped;
    if (this.#text.length < longestKey) this.#text.push(byte);
  }

  #isKey(): boolean {
    try {
      return JSON.parse(`"${Buffer.from(this.#text).toString()}"`) === this.#name;
    } catch {
      return false;
    }
  }

  #takeValue(chunk: Buffer, from: number, value: Buffer[]): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      value.push(Buffer.of(chunk[from] === slash ? slash : backslash));
      return from + 1;
    }
    const end = endOfPart(chunk, from);
    if (end > from) value.push(chunk.subarray(from, end));
    this.#isEscaped = chunk[end] === backslash;
    this.#isEmpty &&= end === from && !this.#isEscaped;
    if (chunk[end] === quote) {
      this.#inField = false;
      this.#keep(Buffer.from(this.#isEmpty ? '"' : 'x"'));
    }
    return Math.min(end + 1, chunk.length);
  }

  #keep(bytes: Buffer): void {
    // A copy: a slice would retain the whole chunk.
    this.#rest.push(Buffer.from(bytes));
    this.restBytes += bytes.length;
  }
}

/** Where the next quote or backslash is. The quote is looked for before the backslash only: it may be behind thousands of them. */
function endOfPart(chunk: Buffer, from: number): number {
  const escape = chunk.indexOf(backslash, from);
  const part = escape < 0 ? chunk : chunk.subarray(0, escape);
  const end = part.indexOf(quote, from);
  return end < 0 ? part.length : end;
}

/** The text is not base64 (RFC 4648, 4): an invalid character, or missing or misplaced padding. */
export class NotBase64 extends Error {
  override readonly name = 'NotBase64';
}

const letters = /^[A-Za-z0-9+/]*$/;
const lastGroup = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes base64 in chunks. The last four characters are held back, because only they may be padding. */
export class Base64Decoder {
  #held = '';

  push(part: Buffer): Buffer {
    const text = this.#held + part.toString('latin1');
    const whole = Math.max(0, Math.ceil((text.length - 4) / 4) * 4);
    this.#held = text.slice(whole);
    const decoded = text.slice(0, whole);
    if (!letters.test(decoded)) throw new NotBase64();
    return Buffer.from(decoded, 'base64');
  }

  end(): Buffer {
    if (!lastGroup.test(this.#held)) throw new NotBase64();
    return Buffer.from(this.#held, 'base64');
  }
}

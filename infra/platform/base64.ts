/** Encodes a stream as base64. Three bytes are four characters: an incomplete group is completed by the next chunk. */
export async function* base64Of(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    const bytes =
      held.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([held, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    held = bytes.subarray(whole);
  }
  yield held.toString('base64');
}

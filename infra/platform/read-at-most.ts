export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** The whole body. Throws `AnswerTooLong` for one of more than `limit` bytes, without reading the rest. */
export async function readAtMost(limit: number, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new AnswerTooLong('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

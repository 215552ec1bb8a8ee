/** Bytes of a message's header: one for "not compressed", four for the length. */
const HEADER = 5;

/**
 * Frames messages in one buffer, so that a page of events is one write instead of hundreds: two thirds of the cost of sending an
 * event. The gRPC library calls this to serialise one message, writes a frame header, and then has the result copy itself behind
 * that. This result is framed already, so its `copy` overwrites that header with its own.
 */
export function framed(messages: readonly Buffer[]): Buffer {
  const frames = Buffer.allocUnsafe(messages.reduce((size, message) => size + HEADER + message.length, 0));
  let at = 0;
  for (const message of messages) {
    frames[at] = 0;
    frames.writeUInt32BE(message.length, at + 1);
    frames.set(message, at + HEADER);
    at += HEADER + message.length;
  }
  const content = frames.subarray(HEADER);
  content.copy = (target) => frames.copy(target);
  return content;
}

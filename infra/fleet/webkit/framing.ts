/**
 * Reassembles messages with a big-endian length prefix of four, or `headBytes`, bytes. Throws on a length above the
 * maximum before it buffers any of the message.
 */
export function frameReader(
  mostBytes: number,
  take: (message: Buffer) => void,
  headBytes = 4,
): (chunk: Buffer) => void {
  const head = Buffer.alloc(headBytes);
  let message: Buffer | undefined;
  let filled = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      const target = message ?? head;
      const copied = chunk.copy(target, filled, at);
      at += copied;
      filled += copied;
      if (filled < target.length) return;
      filled = 0;
      message = target === head ? Buffer.allocUnsafe(lengthIn(head, mostBytes)) : undefined;
      if (target !== head) take(target);
    }
  };
}

function lengthIn(head: Buffer, mostBytes: number): number {
  const length = head.readUIntBE(0, head.length);
  if (length === 0 || length > mostBytes) throw new RangeError(`A message has ${length} bytes.`);
  return length;
}

/** Maximal length of a part's head, in bytes. */
const longestHead = 512;
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Parses the output of GStreamer's `multipartmux`: a head with `Content-Length`, an empty line, and that many bytes.
 * Throws on a part above `mostBytes` or without a length before it buffers any of it.
 */
export function multipartReader(mostBytes: number, take: (part: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf(headEnd);
      if (end === -1 && rest.length > longestHead) throw new RangeError('A head of a part is too long.');
      if (end === -1) return;
      const length = lengthIn(rest.toString('latin1', 0, end), mostBytes);
      const from = end + headEnd.length;
      if (rest.length < from + length) return;
      take(Buffer.from(rest.subarray(from, from + length)));
      rest = rest.subarray(from + length);
    }
  };
}

function lengthIn(head: string, mostBytes: number): number {
  const length = Number(/content-length: *(\d{1,9})/i.exec(head)?.[1] ?? Number.NaN);
  if (!(length > 0 && length <= mostBytes)) throw new RangeError('A part has no length, or too great a one.');
  return length;
}

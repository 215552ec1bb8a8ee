import type { ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';

const dull = Buffer.alloc(64 * 1024, 'All work and no play makes a dull page. ');
const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000));
const pieces = function* (count: number, piece: Buffer) {
  for (let n = 0; n < count; n += 1) yield piece;
};
/** With back-pressure; the end of either side ends both. */
const send = (reply: Writable, count: number, piece = dull): void =>
  void Readable.from(pieces(count, piece))
    .on('error', () => undefined)
    .pipe(reply)
    .on('error', () => undefined);

/** 200 MB of text in one paragraph. */
export function longText(reply: ServerResponse): void {
  reply.writeHead(200, { 'content-type': 'text/html' });
  reply.write('<!doctype html><title>Open</title><p>');
  send(reply, 3_200);
}

/** A file that never ends. */
export function downloadWithoutEnd(reply: ServerResponse): void {
  reply.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="endless.bin"',
  });
  send(reply, Infinity);
}

/** Answers with this text, whatever Node thinks of it. */
export const answersWith =
  (text: string) =>
  ({ socket }: ServerResponse): void =>
    void socket?.end(text);

/** Informational responses that never end, and no answer. */
export function hintsWithoutEnd({ socket }: ServerResponse): void {
  if (socket) send(socket, Infinity, hints);
}

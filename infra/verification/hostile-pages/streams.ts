import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

const piece = Buffer.alloc(64 * 1024, 'All work and no play makes a dull page. ');
const pieces = function* (count: number) {
  for (let n = 0; n < count; n += 1) yield piece;
};
/** With back-pressure; the end of either side ends both. */
const send = (reply: ServerResponse, count: number): void =>
  void Readable.from(pieces(count))
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

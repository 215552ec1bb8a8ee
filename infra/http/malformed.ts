import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { requestIdFrom } from './edge.ts';
import { problemBody } from './problem.ts';

/** Node's code of a request that does not arrive in time. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

const refusals: Readonly<Record<string, () => Refusal>> = {
  [timedOut]: () => refuse('bad-request', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: () =>
    refuse('headers-too-large', `The headers may have at most ${maxHeaderSize} bytes.`),
};
const notHttp = () => refuse('bad-request', 'This is not a valid HTTP request.');

/**
 * Answers connections without a valid request: broken HTTP, oversized headers, an incomplete head or body. A
 * connection on which nothing arrived is closed without an answer (RFC 9112, 9.5). Browsers open connections in
 * advance, and would take an answer for the answer to a request that they have just sent.
 */
export function answerMalformed(errorsBase: string) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isUnused(socket)) {
      socket.destroy();
      return;
    }
    const requestId = requestIdFrom(undefined);
    const problem = problemBody((refusals[error.code ?? ''] ?? notHttp)(), { errorsBase, requestId });
    const body = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    // A slow client could send more for as long as it likes.
    if (error.code === timedOut) socket.once('finish', () => socket.destroy());
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** Ends the connection of a request whose body arrives too slowly, as Node ends one whose time is over. */
export function refuseSlow(server: Server, socket: Socket): void {
  const error = Object.assign(new Error('The body arrives too slowly.'), { code: timedOut });
  if (!server.emit('clientError', error, socket)) socket.destroy();
}

const isUnused = (socket: Duplex): boolean => 'bytesRead' in socket && socket.bytesRead === 0;

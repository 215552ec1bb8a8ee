import type { Duplex } from 'node:stream';
import { refuse } from '../../contracts/problems.ts';
import { problemBody } from './problem.ts';
import { requestIdFrom } from './request-id.ts';

const reasons: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
};

/** Answers what never became a request: broken HTTP, headers too large, a head or body that does not arrive. */
export function answerMalformed(errorsBase: string) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = requestIdFrom(undefined);
    const refusal = refuse('bad-request', reasons[error.code ?? ''] ?? 'This is not a valid HTTP request.');
    const body = JSON.stringify(problemBody(refusal, { errorsBase, requestId }));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

import type { Duplex } from 'node:stream';
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { problemBody } from './problem.ts';
import { requestIdFrom } from './request-id.ts';

const refusals: Readonly<Record<string, () => Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => refuse('bad-request', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: () =>
    refuse('headers-too-large', `The headers may have at most ${maxHeaderSize} bytes.`),
};
const notHttp = () => refuse('bad-request', 'This is not a valid HTTP request.');

/** Answers what never became a request: broken HTTP, headers too large, a head or body that does not arrive. */
export function answerMalformed(errorsBase: string) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
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
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

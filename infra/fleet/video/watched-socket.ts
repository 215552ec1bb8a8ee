import type { RawData, WebSocket } from 'ws';
import { bounds, type Admitted } from './bounds.ts';

export interface SocketEvents {
  /** Judges each message by the participant's limits. */
  admit(bytes: number): Admitted;
  /** A message within the participant's limits. */
  message(bytes: Buffer, isBinary: boolean): void;
  /** Called for too many messages, or one that is too large. */
  exceeded(): void;
  /** Called once, with the close code (RFC 6455, 7.4). */
  closed(code: number): void;
}

/** Close code of a page that is left. */
export const goingAway = 1001;
const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

/** Passes on a socket's messages within its limits, and terminates it when the other end is unresponsive. */
export function followSocket(socket: WebSocket, events: SocketEvents): void {
  let heardAt = performance.now();
  const looking = setInterval(() => {
    if (performance.now() - heardAt > bounds.silenceMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, bounds.silenceMs / 3);
  const heard = () => (heardAt = performance.now());
  socket.on('pong', heard);
  socket.on('message', (data, isBinary) => {
    heard();
    const bytes = bytesOf(data);
    const admitted = events.admit(bytes.length);
    if (admitted === 'passed') events.message(bytes, isBinary);
    if (admitted === 'exceeded') events.exceeded();
  });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    // `ws` has sent the close code 1009 already, and discards further messages until the socket is closed.
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') events.exceeded();
    else socket.terminate();
  });
  socket.once('close', (code) => {
    clearInterval(looking);
    events.closed(code);
  });
}

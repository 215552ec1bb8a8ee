import type { RawData, WebSocket } from 'ws';
import { bounds, createAllowance } from './bounds.ts';

export interface SocketEvents {
  /** Within the bounds of what a participant may say. */
  message(bytes: Buffer, isBinary: boolean): void;
  /** Too many messages have come, or too large a one. */
  exceeded(): void;
  /** Called once, with the code of the close (RFC 6455, 7.4). */
  closed(code: number): void;
}

/** Of a page that is left. */
export const goingAway = 1001;
const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

/** Follows a socket within its bounds, and notices when nobody is at its other end. */
export function followSocket(socket: WebSocket, events: SocketEvents): void {
  const allowed = createAllowance(bounds.signal);
  let heardAt = performance.now();
  const looking = setInterval(() => {
    if (performance.now() - heardAt > bounds.silenceMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, bounds.silenceMs / 3);
  const heard = () => (heardAt = performance.now());
  socket.on('pong', heard);
  socket.on('message', (data, isBinary) => {
    heard();
    if (allowed()) events.message(bytesOf(data), isBinary);
    else events.exceeded();
  });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    // `ws` has told it already, by the code 1009, and throws away what else comes until it is closed.
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') events.exceeded();
    else socket.terminate();
  });
  socket.once('close', (code) => {
    clearInterval(looking);
    events.closed(code);
  });
}

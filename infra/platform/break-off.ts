import type { Socket } from 'node:net';

/** Resets a connection. One whose end is just being sent cannot be reset, and would never close: it is only closed. */
export function breakOff(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

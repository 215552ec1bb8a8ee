import type { Socket } from 'node:net';

/** Resets a connection. One that is just sending its end cannot be reset, and would never close: it is closed instead. */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

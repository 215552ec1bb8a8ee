import type { IncomingMessage } from 'node:http';
import { systemAfter, type After } from '../platform/clock.ts';
import { hasBody } from './body.ts';

/** A body must bring so many bytes in each such time until it is complete. */
export interface BodyPace {
  readonly bytes: number;
  readonly everyMs: number;
  /** Default: the machine's timers. */
  readonly after?: After;
}

/** Calls `late` once if the body falls behind. Bytes that wait here to be read are no delay of the client. */
export function watchPace(
  request: IncomingMessage,
  { bytes, everyMs, after = systemAfter }: BodyPace,
  late: () => void,
): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  let before = socket.bytesRead;
  const check = (): void => {
    const arrived = socket.bytesRead - before;
    before += arrived;
    if (request.complete) return;
    if (arrived < bytes && request.readableLength === 0) late();
    else cancel = after(everyMs, check);
  };
  let cancel = after(everyMs, check);
  request.once('close', () => cancel());
}

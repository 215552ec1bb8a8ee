import { Readable } from 'node:stream';
import type { Position } from '../../infra/event-store/client/types.ts';
import { streamOpened } from '../../infra/http/index.ts';
import { statusAt, uptimeAt, type StatusBoard } from './board.ts';
import { frameOf, type StatusHub } from './hub.ts';

interface PastBoard {
  readonly board: StatusBoard;
  readonly position: Position;
  readonly at: Date;
}

/** The public status of a past. A stream has that one state, and ends. */
export function pastStatus({ board, position, at }: PastBoard): StatusHub {
  const body = JSON.stringify(statusAt(board, { at, updatedAt: at.toISOString(), isStale: false }));
  return {
    current: () => ({ body, ageSeconds: 0 }),
    board: () => board,
    confirmedAt: () => at,
    uptime: () => uptimeAt(board, at),
    stream: () => Readable.from([streamOpened, frameOf({ id: String(position.commit), data: body })]),
    whenComplete: () => Promise.resolve(),
    count: () => 0,
    end: () => undefined,
    close: () => Promise.resolve(),
  };
}

import { isAfter } from '../event-store/client/position.ts';
import type { Position } from '../event-store/client/types.ts';

interface LagOptions {
  /** The log's end; undefined if it is empty. */
  readonly end: () => Promise<Position | undefined>;
  /** A follower's position; undefined if it never started. */
  readonly reached: () => Promise<Position | undefined>;
  readonly limitMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Rejects if the follower has not reached an earlier end of the log within the limit. */
export function lagProbe({ end, reached, limitMs, now = () => performance.now() }: LagOptions) {
  let waitingFor: { readonly position: Position; readonly since: number } | undefined;
  return async (): Promise<void> => {
    const [last, follower] = await Promise.all([end(), reached()]);
    const isBehind = (position: Position) => follower === undefined || isAfter(position, follower);
    if (waitingFor !== undefined && !isBehind(waitingFor.position)) waitingFor = undefined;
    if (last !== undefined && isBehind(last)) waitingFor ??= { position: last, since: now() };
    if (waitingFor !== undefined && now() - waitingFor.since > limitMs)
      throw new Error(`An event is not readable after ${limitMs / 1000} seconds.`);
  };
}

import { isAfter } from '../event-store/client/position.ts';
import type { Position } from '../event-store/client/types.ts';

interface LagOptions {
  /** Where the log ends; undefined when it is empty. */
  readonly end: () => Promise<Position | undefined>;
  /** How far a follower of the log is; undefined when it never began. */
  readonly reached: () => Promise<Position | undefined>;
  readonly limitMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Rejects when an event that was the log's last has not been reached for longer than the limit. */
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

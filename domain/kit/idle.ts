import { after, isBefore } from './time.ts';

/** A session's or agent session's idle timeout, and its latest recorded activity. Times are ISO 8601. */
export interface Idle {
  readonly timeoutMs: number;
  readonly usedAt: string;
  /** When it ends, unless there was activity since. */
  readonly dueAt: string;
}

/** The part recorded by the first event. */
export type RecordedIdle = Omit<Idle, 'usedAt'>;

/** `timeoutMs`: undefined without an idle timeout. */
export const idleFrom = (timeoutMs: number | undefined, at: string): { readonly idle?: RecordedIdle } =>
  timeoutMs === undefined ? {} : { idle: { timeoutMs, dueAt: after(at, timeoutMs) } };

interface MayIdle {
  readonly idle?: Idle | undefined;
}

export const startIdle = (at: string, idle: RecordedIdle | undefined): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: at } };

/** Time of the latest activity: `at` while in use. Without an idle timeout, time of the latest change. */
export const lastUse = (
  isInUse: boolean,
  { idle, updatedAt }: MayIdle & { readonly updatedAt: string },
  at: string,
): string => (isInUse ? at : (idle?.usedAt ?? updatedAt));

/** Activity does not move `dueAt`: when the timer fires, the latest activity decides. So activity needs no event of its own. */
export const recordUse = (at: string, { idle }: MayIdle): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: at } };

export const extendIdle = (to: Omit<Idle, 'timeoutMs'>, { idle }: MayIdle): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: to.usedAt, dueAt: to.dueAt } };

/**
 * The decision when the timer fires. `nothing`: there is no timeout, or it is not due, for example because another
 * process extended it. `over`: there was no activity in time. Otherwise the latest activity and the later due time.
 */
export function decideIdle(
  { idle }: MayIdle,
  lastUseAt: string | null,
  at: string,
): 'nothing' | 'over' | Omit<Idle, 'timeoutMs'> {
  if (idle === undefined || isBefore(at, idle.dueAt)) return 'nothing';
  const used = lastUseAt !== null && isBefore(idle.usedAt, lastUseAt) ? lastUseAt : idle.usedAt;
  const dueAt = after(used, idle.timeoutMs);
  return isBefore(at, dueAt) ? { usedAt: used, dueAt } : 'over';
}

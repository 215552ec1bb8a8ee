import { after, isBefore } from './time.ts';

/** The idle timeout of a session or an agent session that has one, and the latest use that its stream knows of. Times are ISO 8601. */
export interface Idle {
  readonly timeoutMs: number;
  readonly usedAt: string;
  /** When it ends, unless it was used since. */
  readonly dueAt: string;
}

/** What its first event says of it. */
export type RecordedIdle = Omit<Idle, 'usedAt'>;

/** `timeoutMs`: undefined where it has none. */
export const idleFrom = (timeoutMs: number | undefined, at: string): { readonly idle?: RecordedIdle } =>
  timeoutMs === undefined ? {} : { idle: { timeoutMs, dueAt: after(at, timeoutMs) } };

interface MayIdle {
  readonly idle?: Idle | undefined;
}

export const idleSince = (at: string, idle: RecordedIdle | undefined): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: at } };

/** A use moves no due time: whoever finds the timeout due looks at when that was. So a use needs no event of its own. */
export const usedAt = (at: string, { idle }: MayIdle): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: at } };

export const extended = (to: Omit<Idle, 'timeoutMs'>, { idle }: MayIdle): MayIdle =>
  idle === undefined ? {} : { idle: { ...idle, usedAt: to.usedAt, dueAt: to.dueAt } };

/** What a due timeout leads to: nothing while there is none, or it is not due, or was extended by another process; else the end, or a later due time. */
export function judgeIdle(
  { idle }: MayIdle,
  lastUseAt: string | null,
  at: string,
): 'nothing' | 'over' | Omit<Idle, 'timeoutMs'> {
  if (idle === undefined || isBefore(at, idle.dueAt)) return 'nothing';
  const used = lastUseAt !== null && isBefore(idle.usedAt, lastUseAt) ? lastUseAt : idle.usedAt;
  const dueAt = after(used, idle.timeoutMs);
  return isBefore(at, dueAt) ? { usedAt: used, dueAt } : 'over';
}

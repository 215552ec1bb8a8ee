import type { Position } from './types.ts';

/** Whether `a` lies behind `b` in the log: by commit position, then, within one commit, by prepare position. */
export const isAfter = (a: Position, b: Position): boolean =>
  a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);

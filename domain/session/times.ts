export const isBefore = (at: string, due: string): boolean => Date.parse(at) < Date.parse(due);

/** Milliseconds; a clock that went back counts as no time. */
export const elapsedMs = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

/** Both ISO 8601. */
export const isBefore = (at: string, due: string): boolean => Date.parse(at) < Date.parse(due);

/** A time plus milliseconds; ISO 8601. */
export const after = (at: string, milliseconds: number): string =>
  new Date(Date.parse(at) + milliseconds).toISOString();

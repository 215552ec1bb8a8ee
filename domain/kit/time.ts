/** Both ISO 8601. */
export const isBefore = (at: string, due: string): boolean => Date.parse(at) < Date.parse(due);
